/** What can be done to the chosen entries at once: it says how many change before they do, and one button takes
 * all of it back. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Pick } from "@/picking/Pick";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Lorebooks.module.css";
import type { EntriesWritten, Entry } from "./types";
import { type BookSeen, useMoveEntries, useWriteBook } from "./useWriteBook";

interface BulkBarProps {
  seen: BookSeen;
  chosen: readonly Entry[];
  onDone: () => void;
}

export function BulkBar({ seen, chosen, onDone }: BulkBarProps) {
  const { t } = useTranslation();
  const write = useWriteBook(seen, onDone);
  const run = (edit: EntriesWritten, count: number) =>
    write.mutate({ edit, says: t("lorebooks.changedEntries", { count }) });
  const off = chosen.filter((entry) => !entry.enabled);
  const on = chosen.filter((entry) => entry.enabled);
  const switchTo = (entries: readonly Entry[], enabled: boolean) =>
    run({ changed: entries.map(({ uid }) => ({ uid, enabled })) }, entries.length);
  return (
    <section className={classes.bulk} aria-label={t("lorebooks.chosen", { count: chosen.length })}>
      <strong>{t("lorebooks.chosen", { count: chosen.length })}</strong>
      <Button disabled={off.length === 0 || write.isPending} onClick={() => switchTo(off, true)}>
        {t("lorebooks.turnOn", { n: off.length })}
      </Button>
      <Button disabled={on.length === 0 || write.isPending} onClick={() => switchTo(on, false)}>
        {t("lorebooks.turnOff", { n: on.length })}
      </Button>
      <Button
        disabled={write.isPending}
        onClick={() => run({ removed: chosen.map(({ uid }) => uid) }, chosen.length)}
      >
        {t("lorebooks.removeN", { n: chosen.length })}
      </Button>
      {!seen.place.ofCard && <Move seen={seen} chosen={chosen} onDone={onDone} />}
      <Button variant="subtle" onClick={onDone}>
        {t("lorebooks.chooseNone")}
      </Button>
      {write.error !== null && <ErrorNote error={write.error} />}
    </section>
  );
}

function Move({ seen, chosen, onDone }: BulkBarProps) {
  const { t } = useTranslation();
  const [to, setTo] = useState("");
  const move = useMoveEntries(seen, onDone);
  return (
    <>
      <Pick
        kind="lorebooks"
        label={t("lorebooks.moveTo")}
        none={t("lorebooks.moveTo")}
        quiet
        orNothing
        value={to}
        without={new Set([seen.place.id])}
        onChange={setTo}
      />
      {to !== "" && (
        <Button
          loading={move.isPending}
          onClick={() => move.mutate({ to, uids: chosen.map(({ uid }) => uid) })}
        >
          {t("lorebooks.moveN", { n: chosen.length })}
        </Button>
      )}
      {move.error !== null && <ErrorNote error={move.error} />}
    </>
  );
}
