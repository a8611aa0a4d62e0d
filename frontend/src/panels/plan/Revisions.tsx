/** The revisions on the way to the head: who made each and why, and the lines that it changed. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { dayOf } from "@/ui/times";
import classes from "../Panels.module.css";
import { Line } from "./Line";
import { type PlanRevision, useRevisions } from "./plan";

export function Revisions({ project }: { project: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("plan.revisions")}</summary>
      {open && <List project={project} />}
    </details>
  );
}

function List({ project }: { project: string }) {
  const { t } = useTranslation();
  const found = useRevisions(project);
  if (found.error !== null) return <ErrorNote error={found.error} />;
  if (found.data === undefined) return <Pending />;
  const revisions = found.data.pages.flatMap((page) => page.items);
  if (revisions.length === 0) return <p className={classes.facts}>{t("plan.noPlan")}</p>;
  return (
    <>
      <ol className={classes.list}>
        {revisions.map((one) => (
          <One key={one.serial} revision={one} />
        ))}
      </ol>
      {found.hasNextPage && (
        <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {t("world.older")}
        </Button>
      )}
    </>
  );
}

function One({ revision }: { revision: PlanRevision }) {
  const { t } = useTranslation();
  return (
    <li>
      <p className={classes.facts}>
        {t("plan.revision", { n: revision.revision })} · {t(`plan.by.${revision.author}`)} ·{" "}
        {t(`plan.why.${revision.why}`)} · {t("plan.turn", { n: revision.turn })} ·{" "}
        {dayOf(revision.made_at)}
      </p>
      {revision.tools.length > 0 && <p className={classes.facts}>{revision.tools.join(", ")}</p>}
      <ul className={classes.changes}>
        {revision.changes.map((change) => (
          <li key={`${change.op}${change.line}`}>
            <Line line={change.line} op={change.op === "added" ? "added" : "removed"} />
          </li>
        ))}
      </ul>
      {revision.new_notes.length > 0 && (
        <p className={classes.facts}>{t("plan.newNotes", { n: revision.new_notes.length })}</p>
      )}
    </li>
  );
}
