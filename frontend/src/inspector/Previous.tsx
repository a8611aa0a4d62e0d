/** The request beside the one before it in the session: how much of it is the same, what ended that, and
 * the messages in which they differ. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { amount, share } from "@/ui/amounts";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { type Call, type Message, readCall } from "./call";
import classes from "./Inspector.module.css";

interface PreviousProps {
  call: Call;
  calls: readonly Call[];
  parent: string | null;
}

const MOST = 100; // the longest page that the server gives

export function Previous({ call, calls, parent }: PreviousProps) {
  const { t } = useTranslation();
  const { shared } = call.item;
  const near = calls.find((one) => one.item.id === shared?.call);
  // The call before is of this turn or, nearly always, of the turn before.
  const far = useQuery({
    queryKey: [...keys.trace(parent ?? ""), "whole"],
    queryFn: () =>
      told(
        api.GET("/api/turns/{turn_id}/trace", {
          params: { path: { turn_id: parent ?? "" }, query: { limit: MOST } },
        }),
      ),
    enabled: parent !== null && shared !== null && near === undefined,
  });
  if (shared === null) return <Empty text={t("inspector.firstCall")} />;
  const found = far.data?.items.find((one) => one.id === shared.call);
  const before = near ?? (found === undefined ? undefined : readCall(found));
  const cause = call.item.break_cause;
  return (
    <>
      <p className={classes.line}>
        {t("inspector.same", {
          parts: amount(shared.parts),
          of: amount(shared.of),
          share: share(shared.bytes, call.item.request_bytes) || "0%",
        })}
      </p>
      {cause !== "" && <p className={classes.line}>{t("inspector.ended", { cause })}</p>}
      {far.error !== null && <ErrorNote error={far.error} />}
      {before !== undefined && <Apart before={before.messages} now={call.messages} />}
      {before === undefined && !far.isLoading && (
        <p className={classes.facts}>{t("inspector.elsewhere")}</p>
      )}
    </>
  );
}

function Apart({ before, now }: { before: readonly Message[]; now: readonly Message[] }) {
  const { t } = useTranslation();
  const same = sameHead(before, now);
  return (
    <>
      {same > 0 && <p className={classes.facts}>{t("inspector.sameHead", { count: same })}</p>}
      {before.slice(same).map((one) => (
        <Block key={one.key} message={one} gone />
      ))}
      {now.slice(same).map((one) => (
        <Block key={one.key} message={one} />
      ))}
    </>
  );
}

function Block({ message, gone }: { message: Message; gone?: boolean }) {
  const { t } = useTranslation();
  const Mark = gone ? "del" : "ins";
  return (
    <details className={classes.piece}>
      <summary>
        <span className={gone ? classes.gone : classes.came}>
          {gone ? t("inspector.gone") : t("inspector.came")}
        </span>
        <span className={classes.tokens}>{message.role}</span>
        <span className={classes.reason}>{message.text.slice(0, 80)}</span>
      </summary>
      <Mark className={gone ? classes.goneText : classes.cameText}>{message.text}</Mark>
    </details>
  );
}

function sameHead(before: readonly Message[], now: readonly Message[]): number {
  const apart = now.findIndex((one, at) => {
    const other = before[at];
    return other === undefined || other.role !== one.role || other.text !== one.text;
  });
  return apart === -1 ? now.length : apart;
}
