/** Lorebooks, presets and quick replies as a list: opened, exported, put into the trash. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, told } from "@/api/client";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";
import { Pending } from "@/ui/Pending";
import { dayOf } from "@/ui/times";
import { Ends } from "./Ends";
import classes from "./Library.module.css";
import type { LibraryItem } from "./types";
import { type Deletable, useDelete } from "./useDelete";

export type ListKind = "lorebooks" | "presets" | "quick-replies";

interface Listed {
  items: LibraryItem[];
  next: string | null;
}

const LIST: Readonly<Record<ListKind, (after: string | undefined) => Promise<Listed>>> = {
  lorebooks: (after) => told(api.GET("/api/lorebooks", from(after))),
  presets: (after) => told(api.GET("/api/presets", from(after))),
  "quick-replies": (after) => told(api.GET("/api/quick-replies", from(after))),
};

const SINGLE: Readonly<Record<ListKind, Deletable>> = {
  lorebooks: "lorebook",
  presets: "preset",
  "quick-replies": "quick_replies",
};

function from(after: string | undefined) {
  return { params: { query: { limit: 100, after } } };
}

export function ItemList({ kind }: { kind: ListKind }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: [kind, "list"],
    queryFn: ({ pageParam }) => LIST[kind](pageParam),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (last) => last.next ?? undefined,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {list.isPending && <Pending />}
      {list.error !== null && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && items.length === 0 && <Empty text={t(`library.empty.${kind}`)} />}
      <ul className={classes.list} aria-label={t(`library.kind.${kind}`)}>
        {items.map((item) => (
          <Row key={item.id} kind={kind} item={item} />
        ))}
      </ul>
      <Ends more={list.hasNextPage} load={() => void list.fetchNextPage()} />
    </>
  );
}

function Row({ kind, item }: { kind: ListKind; item: LibraryItem }) {
  const { t } = useTranslation();
  const remove = useDelete(SINGLE[kind], item);
  const about = (
    <>
      <span className={classes.rowName}>{item.name}</span>
      <span className={classes.facts}>
        {item.broken !== null && `${t("library.broken")} · `}
        {item.filename} · {dayOf(item.created_at)}
      </span>
    </>
  );
  return (
    <li className={classes.row}>
      {item.broken !== null && <Icon name="warning" />}
      {kind === "lorebooks" ? (
        <Link className={classes.grow} href={`/library/lorebooks/${item.id}`}>
          {about}
        </Link>
      ) : (
        <div className={classes.grow}>{about}</div>
      )}
      <a
        className={classes.icon}
        href={`/api/${kind}/${item.id}/export`}
        download
        aria-label={`${t("library.export")}: ${item.name}`}
        title={t("library.export")}
      >
        <Icon name="export" />
      </a>
      <IconButton
        icon="trash"
        label={`${t("library.delete")}: ${item.name}`}
        onClick={() => remove.mutate()}
        disabled={remove.isPending}
        size={44}
      />
    </li>
  );
}
