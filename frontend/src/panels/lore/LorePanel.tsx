/** The lore of a turn: every entry of the story's books, in or out, with the reason in full, the nearest
 * first. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { useProject } from "@/api/useProject";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import type { PanelProps } from "../registry";
import classes from "./Lore.module.css";
import { LoreRows } from "./LoreRows";
import { LoreTest } from "./LoreTest";

const FIRST = 200;
const MOST = 1000; // the longest page that the server gives

export default function LorePanel({ project: id, turn }: PanelProps) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(FIRST);
  const [testing, setTesting] = useState(false);
  const project = useProject(id);
  const shown = turn ?? project.data?.active ?? project.data?.head;
  const lore = useQuery({
    queryKey: [...keys.lore(shown ?? ""), "panel", limit],
    queryFn: () =>
      told(
        api.GET("/api/turns/{turn_id}/lore", {
          params: { path: { turn_id: shown ?? "" }, query: { limit } },
        }),
      ),
    enabled: shown !== undefined,
    placeholderData: (before) => before,
  });
  const failure = project.error ?? lore.error;
  if (failure !== null) return <ErrorNote error={failure} onRetry={() => void lore.refetch()} />;
  if (project.data === undefined || lore.data === undefined) return <Pending />;
  const { card_id, lorebook_ids } = project.data;
  return (
    <div className={classes.panel}>
      <div className={classes.tools}>
        <Button size="xs" aria-expanded={testing} onClick={() => setTesting(!testing)}>
          {testing ? t("lore.testEnd") : t("lore.test")}
        </Button>
        {card_id !== null && (
          <Link className={classes.link} href={`/library/lorebooks/${card_id}?of=card`}>
            {t("lore.cardBook")}
          </Link>
        )}
        {lorebook_ids.map((book, at) => (
          <Link key={book} className={classes.link} href={`/library/lorebooks/${book}`}>
            {t("lore.book", { n: at + 1 })}
          </Link>
        ))}
      </div>
      {testing && <LoreTest project={project.data} turn={shown ?? ""} before={lore.data} />}
      {!testing && !lore.data.made && <Empty text={t("lore.noneMade")} />}
      {!testing && lore.data.made && (
        <LoreRows
          found={lore.data}
          onMore={limit < MOST ? () => setLimit(Math.min(MOST, limit * 5)) : undefined}
        />
      )}
    </div>
  );
}
