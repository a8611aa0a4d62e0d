/** What was put into the trash in the last thirty days, and the way back. */
import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { dayOf } from "@/ui/times";
import { EmptyTrash } from "./EmptyTrash";
import { Ends } from "./Ends";
import classes from "./Library.module.css";
import type { TrashItem } from "./types";
import { restore } from "./useDelete";

export function Trash() {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: keys.trash,
    queryFn: ({ pageParam }) =>
      told(api.GET("/api/trash", { params: { query: { limit: 100, after: pageParam } } })),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (last) => last.next ?? undefined,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {list.isPending && <Pending />}
      {list.error !== null && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && items.length === 0 && <Empty text={t("library.empty.trash")} />}
      {items.length > 0 && <EmptyTrash items={items} more={list.hasNextPage} />}
      <ul className={classes.list} aria-label={t("library.kind.trash")}>
        {items.map((item) => (
          <Row key={`${item.kind} ${item.id}`} item={item} />
        ))}
      </ul>
      <Ends more={list.hasNextPage} load={() => void list.fetchNextPage()} />
    </>
  );
}

function Row({ item }: { item: TrashItem }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const back = useMutation({
    mutationFn: () => restore(item.kind, item.id),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <li className={classes.row}>
      <div className={classes.grow}>
        <span className={classes.rowName}>{item.name}</span>
        <span className={classes.facts}>
          {t(`library.thing.${item.kind}`)} · {t("library.until", { day: dayOf(item.until) })}
        </span>
        {back.error !== null && <ErrorNote error={back.error} />}
      </div>
      <Button
        aria-label={`${t("library.restore")}: ${item.name}`}
        loading={back.isPending}
        onClick={() => back.mutate()}
      >
        {t("library.restore")}
      </Button>
    </li>
  );
}
