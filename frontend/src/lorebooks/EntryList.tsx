/** The entries of a book, of which only those in sight are drawn: books have thousands. */
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";
import { Icon } from "@/ui/icons";
import classes from "./Lorebooks.module.css";
import type { Entry } from "./types";

const ROW_PX = 60;
type Order = "own" | "byTitle" | "byOrder";
const ORDERS: readonly Order[] = ["own", "byTitle", "byOrder"];

interface RowsProps {
  entries: readonly Entry[];
  open: string | null;
  onOpen: (uid: string) => void;
  chosen: ReadonlySet<number>;
  onChoose: (chosen: ReadonlySet<number>) => void;
  /** A former version is only read. */
  fixed: boolean;
}

export function EntryList({ entries, ...rest }: RowsProps) {
  const { chosen, onChoose, fixed } = rest;
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const [order, setOrder] = useState<Order>("own");
  const shown = useMemo(() => sorted(found(entries, words), order), [entries, words, order]);
  return (
    <>
      <search className={classes.tools}>
        <TextInput
          className={classes.search}
          type="search"
          aria-label={t("lorebooks.search")}
          placeholder={t("lorebooks.hint")}
          leftSection={<Icon name="search" size={18} />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <NativeSelect
          aria-label={t("lorebooks.order")}
          value={order}
          data={ORDERS.map((value) => ({ value, label: t(`lorebooks.${value}`) }))}
          onChange={(event) =>
            setOrder(ORDERS.find((one) => one === event.currentTarget.value) ?? "own")
          }
        />
        <span className={classes.facts} role="status">
          {t("lorebooks.count", { shown: shown.length, total: entries.length })}
        </span>
      </search>
      {shown.length === 0 && <Empty text={t("lorebooks.none")} />}
      {!fixed && shown.length > 0 && (
        <Checkbox
          className={classes.everyone ?? ""}
          label={t("lorebooks.chooseShown", { n: shown.length })}
          checked={shown.every((entry) => chosen.has(entry.uid))}
          onChange={(event) => {
            const those = shown.map((entry) => entry.uid);
            onChoose(new Set(event.currentTarget.checked ? [...chosen, ...those] : []));
          }}
        />
      )}
      <Rows entries={shown} {...rest} />
    </>
  );
}

function Rows({ entries, open, onOpen, chosen, onChoose, fixed }: RowsProps) {
  const { t } = useTranslation();
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  return (
    <div ref={scroll} className={classes.scroll}>
      <ul className={classes.all} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => {
          const entry = entries[row.index];
          if (entry === undefined) return null;
          return (
            <li
              key={entry.uid}
              className={classes.row}
              style={{ transform: `translateY(${row.start}px)` }}
              aria-setsize={entries.length}
              aria-posinset={row.index + 1}
            >
              {!fixed && (
                <Checkbox
                  aria-label={t("lorebooks.chooseOne", {
                    title: entry.title || t("lorebooks.untitled"),
                  })}
                  checked={chosen.has(entry.uid)}
                  onChange={() => onChoose(toggled(chosen, entry.uid))}
                />
              )}
              <button
                type="button"
                className={classes.entry}
                aria-pressed={String(entry.uid) === open}
                onClick={() => onOpen(String(entry.uid))}
              >
                <span className={classes.title}>{entry.title || t("lorebooks.untitled")}</span>
                <span className={classes.keys}>
                  {[
                    ...(entry.enabled ? [] : [t("lorebooks.off")]),
                    ...(entry.constant ? [t("lorebooks.constant")] : []),
                    ...entry.keys,
                  ].join(" · ")}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function toggled(chosen: ReadonlySet<number>, uid: number): ReadonlySet<number> {
  const now = new Set(chosen);
  if (!now.delete(uid)) now.add(uid);
  return now;
}

function found(entries: readonly Entry[], words: string): readonly Entry[] {
  const parts = words.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);
  if (parts.length === 0) return entries;
  return entries.filter((entry) => {
    const text = [entry.title, ...entry.keys, ...entry.secondary, entry.content].join("\n");
    const folded = text.normalize("NFKC").toLowerCase();
    return parts.every((part) => folded.includes(part));
  });
}

function sorted(entries: readonly Entry[], order: Order): readonly Entry[] {
  if (order === "own") return entries;
  if (order === "byOrder") return [...entries].sort((a, b) => b.order - a.order);
  const by = new Intl.Collator();
  return [...entries].sort((a, b) => by.compare(a.title, b.title));
}
