/** What stands at a place of the map: the words of its turn, and what can be done from there. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { Project } from "@/api/types";
import { Prose } from "@/reading/Prose";
import { amount } from "@/ui/amounts";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { WordDiff } from "@/ui/WordDiff";
import type { MapItem } from "./layout";
import classes from "./Map.module.css";
import { useGoThere } from "./moving";
import { NameIt } from "./NameIt";

interface PreviewProps {
  project: Project;
  turn: string;
  item: MapItem | undefined;
  head: string;
}

export function Preview({ project, turn, item, head }: PreviewProps) {
  const { t } = useTranslation();
  const [comparing, setComparing] = useState(false);
  const goThere = useGoThere(project);
  const known = useQuery({
    queryKey: keys.turn(turn),
    queryFn: () => told(api.GET("/api/turns/{turn_id}", { params: { path: { turn_id: turn } } })),
  });
  if (known.error !== null) return <ErrorNote error={known.error} />;
  if (known.data === undefined) return <Pending />;
  const { number, user_text, final_text, title } = known.data;
  const name = number === 0 ? t("map.opening") : t("stage.turn", { n: amount(number) });
  return (
    <section aria-label={t("map.preview")} className={classes.preview}>
      <h2 className={classes.heading}>
        {name}
        {title !== "" && title !== name && ` · ${title}`}
      </h2>
      {item?.kind === "run" && item.turns > 1 && (
        <p className={classes.facts}>
          {t("map.runEnds", { from: amount(number - item.turns + 1), to: amount(number) })}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          variant="filled"
          disabled={turn === project.head || project.active !== null}
          loading={goThere.isPending}
          onClick={() => goThere.mutate({ turn, number })}
        >
          {t("stage.goThere")}
        </Button>
        <Button component={Link} href={`/p/${project.id}/t/${turn}`}>
          {t("map.read")}
        </Button>
        {turn !== head && (
          <Button aria-expanded={comparing} onClick={() => setComparing(!comparing)}>
            {t("map.compare")}
          </Button>
        )}
      </div>
      {turn === project.head && <p className={classes.facts}>{t("map.isPresent")}</p>}
      {turn !== project.head && project.active !== null && (
        <p className={classes.facts}>{t("map.busy")}</p>
      )}
      {goThere.error !== null && <ErrorNote error={goThere.error} />}
      <NameIt project={project} turn={turn} number={number} />
      {comparing ? (
        <Compared project={project.id} from={turn} to={head} />
      ) : (
        <>
          {user_text !== "" && <Prose text={user_text} by="user" />}
          <Prose text={final_text} />
        </>
      )}
    </section>
  );
}

function Compared({ project, from, to }: { project: string; from: string; to: string }) {
  const { t } = useTranslation();
  const query = { from: `final:${from}`, to: `final:${to}` };
  const diff = useQuery({
    queryKey: [...keys.project(project), "diff", query.from, query.to],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/diff", {
          params: { path: { project_id: project }, query },
        }),
      ),
  });
  if (diff.error !== null) return <ErrorNote error={diff.error} />;
  if (diff.data === undefined) return <Pending />;
  return (
    <>
      <p className={classes.facts}>{t("map.compared")}</p>
      <WordDiff diff={diff.data} />
    </>
  );
}
