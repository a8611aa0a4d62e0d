/** Lorebooks, presets and quick replies as a list: opened, exported, put into the trash. */
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { api, told } from "@/api/client";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";
import { dayOf } from "@/ui/times";
import classes from "./Library.module.css";
import { PresetSheet } from "./PresetSheet";
import { QuickRepliesSheet } from "./QuickRepliesSheet";
import { ShelfFrame } from "./ShelfFrame";
import type { LibraryItem } from "./types";
import { type Deletable, useDelete } from "./useDelete";
import { type Asked, type Listed, useShelf } from "./useShelf";

export type ListKind = "lorebooks" | "presets" | "quick-replies";

const LIST: Readonly<Record<ListKind, (query: Asked) => Promise<Listed<LibraryItem>>>> = {
  lorebooks: (query) => told(api.GET("/api/lorebooks", { params: { query } })),
  presets: (query) => told(api.GET("/api/presets", { params: { query } })),
  "quick-replies": (query) => told(api.GET("/api/quick-replies", { params: { query } })),
};

const SINGLE: Readonly<Record<ListKind, Deletable>> = {
  lorebooks: "lorebook",
  presets: "preset",
  "quick-replies": "quick_replies",
};

export function ItemList({ kind, item: open }: { kind: ListKind; item: string | null }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const shelf = useShelf(kind, LIST[kind]);
  const close = () => go(`/library/${kind}`);
  return (
    <>
      <ShelfFrame
        shelf={shelf}
        name={t(`library.kind.${kind}`)}
        placeholder={t("library.searchNames")}
        empty={t(`library.empty.${kind}`)}
      >
        {shelf.items.map((item) => (
          <Row key={item.id} kind={kind} item={item} />
        ))}
      </ShelfFrame>
      {open !== null && kind === "presets" && <PresetSheet key={open} id={open} onClose={close} />}
      {open !== null && kind === "quick-replies" && (
        <QuickRepliesSheet key={open} id={open} onClose={close} />
      )}
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
