/** What is being imported, in one line each: how far, how many unreadable, the way to the report. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import classes from "./Importing.module.css";
import { putAway, useQueue } from "./queue";
import { isOver, useImport } from "./useImport";

export function ImportBar({ onReport }: { onReport: (id: string) => void }) {
  const { t } = useTranslation();
  const queue = useQueue();
  return (
    <div role="status">
      {queue.sending > 0 && (
        <div className={classes.bar}>{t("library.sending", { n: queue.sending })}</div>
      )}
      {queue.error !== null && <ErrorNote error={queue.error} />}
      {queue.ids.map((id) => (
        <One key={id} id={id} onReport={() => onReport(id)} />
      ))}
    </div>
  );
}

function One({ id, onReport }: { id: string; onReport: () => void }) {
  const { t } = useTranslation();
  const found = useImport(id);
  const told = found.data;
  if (told === undefined) return null;
  return (
    <div className={classes.bar}>
      <p className={classes.state}>
        {told.state === "failed" && t("library.importFailed")}
        {told.state === "done" && t("library.imported", told)}
        {!isOver(told) && t("library.importing", told)}
        {!isOver(told) && told.refused > 0 && ` · ${t("library.unreadable", { n: told.refused })}`}
      </p>
      <Button variant="subtle" onClick={onReport}>
        {t("library.report")}
      </Button>
      <IconButton icon="close" label={t("library.dismiss")} onClick={() => putAway(id)} size={44} />
    </div>
  );
}
