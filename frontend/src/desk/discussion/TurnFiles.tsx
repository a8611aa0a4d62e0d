/** The chapters that a turn changed; each leads to its changes in the text. */
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { titleOf } from "../chapters/naming";
import { useDesk } from "../desk";
import { type Checkpoint, useCheckpoints } from "../history/checkpoints";
import type { FileChange } from "../review/made";
import { Removed } from "../review/Removed";
import classes from "./Discussion.module.css";

export function TurnFiles({ turn, followed }: { turn: string; followed: boolean }) {
  const { t } = useTranslation();
  const { project, chapters, hrefOf, reviewed } = useDesk();
  // A turn that is not among those that were read is found in the history.
  const made = useCheckpoints(project.id).items.filter((one) => one.turn === turn);
  const live = followed && reviewed.turn === turn ? reviewed.files : [];
  const former = formerOf(live, made);
  const names = namesOf(live, made).filter((name) => !former.hidden.has(name));
  if (names.length === 0) return null;
  return (
    <div className={classes.files}>
      <span>{t("desk.filesChanged", { n: names.length })}</span>
      <ul>
        {names.map((name) => {
          const was = former.names.get(name);
          return (
            <li key={name}>
              {chapters.some((one) => one.name === name) ? (
                <Link className={classes.file} href={`${hrefOf(name)}?review=${turn}`}>
                  {was === undefined ? titleOf(name) : `${titleOf(was)} → ${titleOf(name)}`}
                </Link>
              ) : (
                <Removed name={name} files={live} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function namesOf(live: readonly FileChange[], made: readonly Checkpoint[]): string[] {
  const told = made.flatMap(({ changed }) => {
    const renamed = changed.renamed.flatMap(([, now]) => now ?? []);
    return [...changed.added, ...changed.modified, ...renamed, ...changed.removed];
  });
  return [...new Set([...live.map((one) => one.name), ...told])].sort();
}

/** What each chapter was called before; a name that stands in such a pair is not shown as gone. */
function formerOf(live: readonly FileChange[], made: readonly Checkpoint[]) {
  const pairs = [
    ...made.flatMap(({ changed }) => changed.renamed.map(([was = "", now = ""]) => [was, now])),
    ...live.flatMap(({ was, name }) => (was === null ? [] : [[was, name]])),
  ];
  return {
    names: new Map(pairs.map(([was = "", now = ""]) => [now, was])),
    hidden: new Set(pairs.map(([was = ""]) => was)),
  };
}
