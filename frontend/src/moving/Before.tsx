/** The moves so far, newest first: a move that was left goes on there, and keeps its report. */
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, told } from "@/api/client";
import { dayOf } from "@/ui/times";
import classes from "./Moving.module.css";
import type { MoveTold } from "./types";
import { moves } from "./useMove";

const SHOWN = 10;

export function Before() {
  const { t } = useTranslation("moving");
  const list = useInfiniteQuery({
    queryKey: moves,
    queryFn: ({ pageParam }) =>
      told(api.GET("/api/moves", { params: { query: { limit: SHOWN, after: pageParam } } })),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const found = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="before">
      <h2 id="before" className={classes.heading}>
        {t("before")}
      </h2>
      <ul className={classes.left}>
        {found.map((move) => (
          <li key={move.id}>
            <Link href={`/library/move/${move.id}`}>
              {t("moveOf", { day: dayOf(move.made_at) })}
            </Link>
            <State move={move} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("more")}
        </Button>
      )}
    </section>
  );
}

function State({ move }: { move: MoveTold }) {
  const { t } = useTranslation("moving");
  const facts = { done: move.done, total: move.total, count: move.total };
  return <span className={classes.facts}>{t(`state.${move.state}`, facts)}</span>;
}
