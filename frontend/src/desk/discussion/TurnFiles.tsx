/** The chapters that a turn changed; each leads to its changes in the text. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { titleOf } from "../chapters/naming";
import { useDesk } from "../desk";
import { Removed } from "../review/Removed";
import classes from "./Discussion.module.css";

interface Made {
  turn: string | null;
  changed: {
    added: readonly string[];
    modified: readonly string[];
    renamed: readonly (readonly string[])[];
    removed: readonly string[];
  };
}

/** Each tells all files of the book: older turns are found in the history. */
const RECENT = 20;

export function TurnFiles({ turn, followed }: { turn: string; followed: boolean }) {
  const { t } = useTranslation();
  const { project, chapters, hrefOf, reviewed } = useDesk();
  const made = useTurnCheckpoint(project.id, turn);
  const live = followed && reviewed.turn === turn ? reviewed.files : [];
  const names = made === null ? live.map((one) => one.name) : namesOf(made);
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

function namesOf({ changed }: Made): string[] {
  const renamed = changed.renamed.flatMap(([, now]) => now ?? []);
  return [...changed.added, ...changed.modified, ...renamed, ...changed.removed].sort();
}

/** The checkpoint that a turn made; `null`: none, or one that is not among the latest. */
function useTurnCheckpoint(project: string, turn: string): Made | null {
  const known = useQuery({
    queryKey: [...keys.project(project), "checkpoints", "recent"],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/checkpoints", {
          params: { path: { project_id: project }, query: { limit: RECENT } },
        }),
      ),
  });
  return known.data?.items.find((one) => one.turn === turn) ?? null;
}
