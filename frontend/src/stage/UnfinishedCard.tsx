/** A turn that did not come to its end: what happened, that the words are safe, what can be done. */
import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePicked } from "@/api/liveturn";
import { draftText, lastSpoken, partialText } from "@/api/turnview";
import type { PathItem } from "@/api/types";
import { wordsAlone } from "@/images/marker";
import { ErrorNote } from "@/ui/ErrorNote";
import { Icon } from "@/ui/icons";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import type { Unfinished } from "./transcript";
import { useTurn } from "./useElapsed";
import { resume, seal, useDiscard, useVerb } from "./verbs";

export function UnfinishedCard({ item, status }: { item: PathItem; status: Unfinished }) {
  const { t } = useTranslation();
  const { live } = useStage();
  const text = usePicked(
    live,
    (view) => partialText(view) ?? (draftText(view) || lastSpoken(view)),
  );
  const error = usePicked(live, (view) => view.error);
  const turn = useTurn(item.id);
  const wait = useCountdown(error?.retry_after_s ?? null);
  const again = useVerb(() => resume(item.id));
  const keep = useVerb((with_tail: boolean) => seal(item.id, with_tail));
  const discard = useDiscard();
  const chars = [...wordsAlone(text)].length.toLocaleString();
  const failure = again.error ?? keep.error ?? discard.error;
  const known = WHY.find((code) => code === error?.code);
  const why = known === undefined ? (error?.hint ?? "") : t(`stage.why.${known}`);
  const tail = turn.data?.draft.tail === true;
  return (
    <section
      className={classes.unfinished}
      data-status={status}
      aria-label={t(`stage.is.${status}`)}
    >
      <p className={classes.happened}>
        <Icon name={status === "failed" ? "warning" : status === "stopped" ? "stop" : "edit"} />
        <span>{t(`stage.happened.${chars === "0" ? "nothing" : status}`, { n: chars })}</span>
      </p>
      {status === "failed" && error !== null && (
        <p className={classes.reason}>
          {error.http_status === null
            ? error.message
            : t(wait > 0 ? "stage.answeredWait" : "stage.answered", {
                status: error.http_status,
                s: wait,
              })}
          {error.http_status !== null && error.message !== "" && <small>{error.message}</small>}
          {why !== "" && <small>{why}</small>}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          variant={status === "unsealed" ? "default" : "filled"}
          loading={again.isPending}
          disabled={wait > 0}
          onClick={() => again.mutate()}
        >
          {t(`stage.goOn.${status}`)}
        </Button>
        {text !== "" && (
          <Button
            variant={status === "unsealed" ? "filled" : "default"}
            loading={keep.isPending}
            onClick={() => keep.mutate(true)}
          >
            {t(status === "unsealed" ? "stage.seal" : "stage.keep")}
          </Button>
        )}
        {text !== "" && tail && (
          <Button onClick={() => keep.mutate(false)}>{t("stage.sealWithoutTail")}</Button>
        )}
        <Button
          variant="subtle"
          loading={discard.isPending}
          onClick={() => discard.mutate(item.id)}
        >
          {t("stage.discard")}
        </Button>
      </div>
      {failure !== null && <ErrorNote error={failure} />}
    </section>
  );
}

/** Codes of failures that the page has words for; of others the server's own hint is shown. */
const WHY = [
  "unauthorized",
  "payment_required",
  "not_found_at_provider",
  "rate_limited",
  "context_too_long",
  "tools_refused",
  "provider_unavailable",
  "no_connection",
  "no_draft",
  "too_large",
  "limit_wall",
  "limit_output_tokens",
  "repeated_failure",
] as const;

/** Whole seconds until a provider may be asked again. */
function useCountdown(seconds: number | null): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (seconds === null) return setLeft(0);
    const until = Date.now() + seconds * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
