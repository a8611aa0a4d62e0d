/** What can be done to the chosen entries at once: it says how many change before they do, and one button takes
 * all of it back. */
import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
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
  const found = useQuery({
    queryKey: [...keys.lorebooks, "names"],
    queryFn: () => told(api.GET("/api/lorebooks", { params: { query: { limit: 200 } } })),
  });
  const others = (found.data?.items ?? []).filter((one) => one.id !== seen.place.id);
  if (others.length === 0) return null;
  return (
    <>
      <NativeSelect
        aria-label={t("lorebooks.moveTo")}
        value={to}
        data={[
          { value: "", label: t("lorebooks.moveTo") },
          ...others.map((one) => ({ value: one.id, label: one.name })),
        ]}
        onChange={(event) => setTo(event.currentTarget.value)}
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
