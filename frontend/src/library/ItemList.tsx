/** Lorebooks, presets and quick replies as a list: opened, exported, put into the trash. */
import { TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { api, told } from "@/api/client";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";
import { Pending } from "@/ui/Pending";
import { dayOf } from "@/ui/times";
import { Ends } from "./Ends";
import classes from "./Library.module.css";
import { PresetSheet } from "./PresetSheet";
import { QuickRepliesSheet } from "./QuickRepliesSheet";
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

export function ItemList({ kind, item: open }: { kind: ListKind; item: string | null }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const [words, setWords] = useState("");
  const list = useInfiniteQuery({
    queryKey: [kind, "list"],
    queryFn: ({ pageParam }) => LIST[kind](pageParam),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (last) => last.next ?? undefined,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const found = named(items, words);
  const { hasNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (words.trim() !== "" && hasNextPage) void fetchNextPage(); // all of them are looked through
  }, [words, hasNextPage, fetchNextPage]);
  const close = () => go(`/library/${kind}`);
  return (
    <>
      {items.length > 0 && (
        <search className={classes.tools}>
          <TextInput
            className={classes.search}
            type="search"
            aria-label={t(`library.kind.${kind}`)}
            placeholder={t("library.searchNames")}
            leftSection={<Icon name="search" size={18} />}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        </search>
      )}
      {list.isPending && <Pending />}
      {list.error !== null && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data !== undefined && items.length === 0 && <Empty text={t(`library.empty.${kind}`)} />}
      <ul className={classes.list} aria-label={t(`library.kind.${kind}`)}>
        {found.map((item) => (
          <Row key={item.id} kind={kind} item={item} />
        ))}
      </ul>
      {items.length > 0 && found.length === 0 && <Empty text={t("library.none")} />}
      <Ends more={list.hasNextPage} load={() => void list.fetchNextPage()} />
      {open !== null && kind === "presets" && <PresetSheet key={open} id={open} onClose={close} />}
      {open !== null && kind === "quick-replies" && (
        <QuickRepliesSheet key={open} id={open} onClose={close} />
      )}
    </>
  );
}

/** Those that have all the words in their name or file name, whatever their case and width. */
function named(items: readonly LibraryItem[], words: string): readonly LibraryItem[] {
  const parts = folded(words).split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    const text = folded(`${item.name} ${item.filename}`);
    return parts.every((part) => text.includes(part));
  });
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
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
      <Link className={classes.grow} href={`/library/${kind}/${item.id}`}>
        {about}
      </Link>
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
