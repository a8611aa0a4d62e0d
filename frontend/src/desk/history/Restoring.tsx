/** Before a book is made what it was: which chapters change and how, what is kept first, and what else moves.
 * Nothing happens before it is confirmed. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { useArrival } from "@/ui/useArrival";
import { ChapterDiff } from "./ChapterDiff";
import { Conflicted } from "./Conflicted";
import type { Checkpoint } from "./checkpoints";
import { useComparison } from "./comparing";
import classes from "./History.module.css";
import { useRestore, useUndoTurn } from "./moving";
import { labelOf, touched } from "./record";

interface RestoringProps {
  project: Project;
  checkpoint: Checkpoint;
  newest: Checkpoint;
  /** The whole turn with its discussion, not only the chapters. */
  whole: boolean;
  onClose: () => void;
}

export function Restoring(props: RestoringProps) {
  const { t } = useTranslation();
  const { checkpoint, whole } = props;
  const place = useArrival<HTMLElement>();
  const words = { name: checkpoint.name || labelOf(checkpoint) };
  const title = t(whole ? "manuscript.undoTitle" : "manuscript.restoreTitle", words);
  return (
    <section ref={place} tabIndex={-1} className={classes.confirming} aria-label={title}>
      <h3 className={classes.title}>{title}</h3>
      {whole ? <WholeTurn {...props} /> : <FilesOnly {...props} />}
    </section>
  );
}

function FilesOnly({ project, checkpoint, newest, onClose }: RestoringProps) {
  const { t } = useTranslation();
  const found = useComparison(project.id, newest.id, checkpoint.id);
  const restore = useRestore(project.id);
  const running = project.active !== null;
  if (found.error !== null) return <ErrorNote error={found.error} />;
  if (found.data === undefined) return <Pending />;
  const changes = touched(found.data.changed);
  return (
    <>
      <p>{changes.length === 0 ? t("manuscript.sameState") : <Counts changes={changes} />}</p>
      <Chapters project={project.id} changes={changes} from={newest.id} to={checkpoint.id} />
      <p className={classes.facts}>{t("manuscript.restoreNote")}</p>
      {restore.error !== null && <ErrorNote error={restore.error} />}
      {running && <p role="status">{t("manuscript.whileRunning")}</p>}
      <div className={classes.actions}>
        <Button
          variant="filled"
          disabled={running || changes.length === 0}
          loading={restore.isPending}
          onClick={() => restore.mutate(checkpoint.id, { onSuccess: onClose })}
        >
          {t("manuscript.restore")}
        </Button>
        <Button onClick={onClose}>{t("common.cancel")}</Button>
      </div>
    </>
  );
}

function WholeTurn({ project, checkpoint, onClose }: RestoringProps) {
  const { t } = useTranslation();
  const undo = useUndoTurn(project.id);
  const running = project.active !== null;
  const run = (force: boolean) =>
    undo.mutate({ checkpoint: checkpoint.id, force }, { onSuccess: onClose });
  return (
    <>
      <p>{t("manuscript.undoNote")}</p>
      <ul className={classes.list}>
        {touched(checkpoint.changed).map((one) => (
          <li key={`${one.was} ${one.name}`}>{one.name ?? one.was}</li>
        ))}
      </ul>
      {undo.error !== null && (
        <Conflicted error={undo.error} pending={undo.isPending} onForce={() => run(true)} />
      )}
      {running && <p role="status">{t("manuscript.whileRunning")}</p>}
      <div className={classes.actions}>
        <Button
          variant="filled"
          disabled={running}
          loading={undo.isPending}
          onClick={() => run(false)}
        >
          {t("manuscript.undoThis")}
        </Button>
        <Button onClick={onClose}>{t("common.cancel")}</Button>
      </div>
    </>
  );
}

/** How many chapters change, come back, go. */
export function Counts({ changes }: { changes: ReturnType<typeof touched> }) {
  const { t } = useTranslation();
  const kinds = ["modified", "added", "removed", "renamed"] as const;
  const counts = kinds
    .map((kind) => [kind, changes.filter((one) => one.kind === kind).length] as const)
    .filter(([, count]) => count > 0);
  return counts
    .map(([kind, count]) => t(`manuscript.counts.${kind}`, { count }))
    .join(t("manuscript.comma"));
}

interface ChaptersProps {
  project: string;
  changes: ReturnType<typeof touched>;
  from: string;
  to: string;
}

export function Chapters({ project, changes, from, to }: ChaptersProps) {
  return (
    <div>
      {changes.map((one) => (
        <ChapterDiff
          key={`${from} ${to} ${one.was} ${one.name}`}
          project={project}
          chapter={one}
          from={from}
          to={to}
        />
      ))}
    </div>
  );
}
