/** The chapters that a turn changed; each leads to its changes in the text. */
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { titleOf } from "../chapters/naming";
import { useDesk } from "../desk";
import { type Checkpoint, useCheckpoints } from "../history/checkpoints";
import { Removed } from "../review/Removed";
import classes from "./Discussion.module.css";

export function TurnFiles({ turn, followed }: { turn: string; followed: boolean }) {
  const { t } = useTranslation();
  const { project, chapters, hrefOf, reviewed } = useDesk();
  // A turn that is not among those that were read is found in the history.
  const made = useCheckpoints(project.id).items.filter((one) => one.turn === turn);
  const live = followed && reviewed.turn === turn ? reviewed.files : [];
  const told = [...live.map((one) => one.name), ...made.flatMap(namesOf)];
  const names = [...new Set(told)].sort();
  if (names.length === 0) return null;
  return (
    <div className={classes.files}>
      <span>{t("desk.filesChanged", { n: names.length })}</span>
      <ul>
        {names.map((name) => (
          <li key={name}>
            {chapters.some((one) => one.name === name) ? (
              <Link className={classes.file} href={`${hrefOf(name)}?review=${turn}`}>
                {titleOf(name)}
              </Link>
            ) : (
              <Removed name={name} files={live} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function namesOf({ changed }: Checkpoint): string[] {
  const renamed = changed.renamed.flatMap(([, now]) => now ?? []);
  return [...changed.added, ...changed.modified, ...renamed, ...changed.removed];
}
