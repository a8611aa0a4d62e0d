/** Finding words in the whole story, on the server: the page draws only a part of it. */
import { Button, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { FoundItem } from "@/api/types";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Find.module.css";
import { useStage } from "./stage";

export default function Find() {
  const { t } = useTranslation();
  const { project } = useStage();
  const [typed, setTyped] = useState("");
  const q = useDeferredValue(typed.trim());
  const found = useInfiniteQuery({
    queryKey: [...keys.project(project.id), "find", q],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/projects/{project_id}/search", {
          params: { path: { project_id: project.id }, query: { q, limit: 30, after: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (last) => last.next ?? undefined,
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
  const items = q === "" ? [] : (found.data?.pages.flatMap((page) => page.items) ?? []);
  return (
    <div className={classes.find}>
      <TextInput
        autoFocus
        data-find=""
        type="search"
        aria-label={t("stage.find")}
        placeholder={t("stage.findHint")}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <p className={classes.facts} role="status">
        {q !== "" && found.isSuccess && items.length === 0 && t("stage.foundNone", { q })}
        {items.length > 0 && t("stage.foundSome", { n: items.length })}
      </p>
      {found.error !== null && <ErrorNote error={found.error} />}
      <ol className={classes.list}>
        {items.map((item) => (
          <li key={`${item.node}.${item.part}`}>
            <Link href={`/p/${project.id}/t/${item.turn}`} className={classes.one}>
              <span className={classes.facts}>
                {t("stage.turn", { n: item.number })} · {t(`stage.part.${item.part}`)}
                {!item.on_branch && ` · ${t("stage.otherBranch")}`}
              </span>
              <Excerpt item={item} />
            </Link>
          </li>
        ))}
      </ol>
      {found.hasNextPage && (
        <Button onClick={() => void found.fetchNextPage()}>{t("stage.foundMore")}</Button>
      )}
    </div>
  );
}

function Excerpt({ item }: { item: FoundItem }) {
  const parts = [];
  let at = 0;
  for (const { start, end } of item.spans) {
    parts.push(item.text.slice(at, start));
    parts.push(<mark key={start}>{item.text.slice(start, end)}</mark>);
    at = end;
  }
  parts.push(item.text.slice(at));
  return <span className={classes.excerpt}>{parts}</span>;
}
