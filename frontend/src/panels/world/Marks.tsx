/** What an edit of the manuscript left to be checked: how many facts, a way to see only these, notes whose passage
 * has gone, chapters that the ledger lacks. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useParam } from "@/app/param";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "../Panels.module.css";
import { type Care, useHold, useReadNow } from "./care";

interface MarksProps {
  project: string;
  care: Care;
  /** Whether only what is to be checked is shown. */
  only: boolean;
  onOnly: (only: boolean) => void;
}

export function Marks({ project, care, only, onOnly }: MarksProps) {
  const { t } = useTranslation();
  const reading = useReadNow(project);
  const [, setPanel] = useParam("panel");
  const { facts, unread, changed } = care;
  const differs = care.restored && changed.length > 0;
  const lacking = differs ? [...new Set([...unread, ...changed])] : unread;
  return (
    <>
      {(facts.length > 0 || only) && (
        <div className={classes.notice} role="status">
          <p>{t("world.toCheck", { count: facts.length })}</p>
          <Button aria-pressed={only} onClick={() => onOnly(!only)}>
            {t(only ? "world.showAll" : "world.showMarked")}
          </Button>
          <Button onClick={() => setPanel("check")}>{t("desk.panel.check")}</Button>
        </div>
      )}
      {(differs || lacking.length > 0) && (
        <div className={classes.notice} role="status">
          <p>
            {t(differs ? "world.mayDiffer" : "world.unread", {
              names: lacking.join(t("world.comma")),
            })}
          </p>
          <Button loading={reading.isPending} onClick={() => reading.mutate(undefined)}>
            {t("world.readNow")}
          </Button>
        </div>
      )}
      {reading.error !== null && <ErrorNote error={reading.error} />}
      {care.notes.length > 0 && <Notes project={project} notes={care.notes} />}
    </>
  );
}

function Notes({ project, notes }: { project: string; notes: Care["notes"] }) {
  const { t } = useTranslation();
  const holding = useHold(project);
  return (
    <section className={classes.section}>
      <h3>{t("world.notesToCheck")}</h3>
      {notes.map((note) => (
        <div key={note.id} className={classes.head}>
          <p className={classes.facts}>
            {note.title} <span className={classes.word}>{note.chapter}</span>
          </p>
          <Button loading={holding.isPending} onClick={() => holding.mutate({ notes: [note.id] })}>
            {t("world.holds")}
          </Button>
        </div>
      ))}
      {holding.error !== null && <ErrorNote error={holding.error} />}
    </section>
  );
}
