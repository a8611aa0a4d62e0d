/** What the experts found, by group, each with what it rests on; pinned and dropped by the reader. */
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import classes from "../Panels.module.css";
import { Line } from "./Line";
import { type Plan, type PlanNote, useChangePlan } from "./plan";

const GROUPS = ["event", "knowledge", "world", "npc", "callback", "camera", "agency"] as const;

interface NotesProps {
  project: string;
  plan: Plan;
  fixed: boolean;
}

export function Notes({ project, plan, fixed }: NotesProps) {
  const { t } = useTranslation();
  const mark = useChangePlan(project, plan.revision);
  if (plan.notes.length === 0) return null;
  const inForce = plan.notes.filter((note) => !note.dropped);
  const dropped = plan.notes.filter((note) => note.dropped);
  const list = (notes: readonly PlanNote[]) => (
    <ul className={classes.list}>
      {notes.map((note) => (
        <One
          key={note.number}
          note={note}
          fixed={fixed}
          onMark={(given) => mark.mutate({ notes: [{ number: note.number, ...given }] })}
        />
      ))}
    </ul>
  );
  return (
    <details className={classes.details} open>
      <summary>{t("plan.notes", { n: inForce.length })}</summary>
      {GROUPS.map((group) => {
        const notes = inForce.filter((note) => note.group === group);
        if (notes.length === 0) return null;
        return (
          <section key={group} className={classes.section}>
            <h3>{t(`plan.groups.${group}`)}</h3>
            {list(notes)}
          </section>
        );
      })}
      {dropped.length > 0 && (
        <details className={classes.details}>
          <summary>{t("plan.dropped", { n: dropped.length })}</summary>
          {list(dropped)}
        </details>
      )}
      {mark.error !== null && <ErrorNote error={mark.error} />}
    </details>
  );
}

interface OneProps {
  note: PlanNote;
  fixed: boolean;
  onMark: (given: { pinned?: boolean; dropped?: boolean }) => void;
}

function One({ note, fixed, onMark }: OneProps) {
  const { t } = useTranslation();
  const facts = [
    note.label,
    t("plan.turn", { n: note.turn }),
    note.tool,
    note.pinned ? t("plan.pinned") : "",
  ];
  return (
    <li>
      <div className={classes.head}>
        <Line line={note.text} />
        {!fixed && (
          <>
            <IconButton
              icon="star"
              label={t(note.pinned ? "plan.unpin" : "plan.pin", { label: note.label })}
              pressed={note.pinned}
              onClick={() => onMark({ pinned: !note.pinned })}
            />
            <IconButton
              icon={note.dropped ? "undo" : "trash"}
              label={t(note.dropped ? "plan.undrop" : "plan.drop", { label: note.label })}
              onClick={() => onMark({ dropped: !note.dropped })}
            />
          </>
        )}
      </div>
      <p className={classes.facts}>
        {facts.filter((one) => one !== "").join(" · ")}
        {note.advisory && (
          <span className={classes.word}>
            <span className={classes.claimed}>{t("plan.advisory")}</span>
          </span>
        )}
      </p>
      {note.quote !== "" && (
        <blockquote className={classes.quote}>
          {note.quote}
          <p>{t(note.checked ? "plan.checked" : "plan.unchecked")}</p>
        </blockquote>
      )}
      {note.words !== "" && (
        <p className={classes.facts}>{t("plan.words", { words: note.words })}</p>
      )}
    </li>
  );
}
