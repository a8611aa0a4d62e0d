/** The map as a tree that is read and walked with the keys; on a wide window the lines stand beside it, on
 * a narrow one its indents say the same. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { amount } from "@/ui/amounts";
import { Icon } from "@/ui/icons";
import { useWide } from "@/ui/useWide";
import { Graph, LANE, laneX } from "./Graph";
import type { MapItem, Placed } from "./layout";
import classes from "./Map.module.css";

interface OutlineProps {
  rows: readonly Placed[];
  open: string | undefined;
  onOpen: (id: string) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export function Outline({ rows, open, onOpen }: OutlineProps) {
  const { t } = useTranslation();
  const wide = useWide();
  const tree = useRef<HTMLDivElement>(null);
  const lanes = Math.max(0, ...rows.map((row) => row.lane));
  const standing = Math.max(
    0,
    rows.findIndex((row) => row.item.id === open),
  );
  const first = useRef(standing);
  useEffect(() => {
    rowAt(tree.current, first.current)?.scrollIntoView({ block: "center" });
  }, []);

  function move(to: number): void {
    const row = rowAt(tree.current, Math.min(rows.length - 1, Math.max(0, to)));
    row?.focus();
  }

  return (
    <div className={classes.outline}>
      {wide && <Graph rows={rows} />}
      <div role="tree" aria-label={t("map.title")} ref={tree}>
        {rows.map(({ item, lane }, at) => (
          <div
            key={item.id}
            role="treeitem"
            aria-level={lane + 1}
            aria-selected={item.id === open}
            data-path={item.on_path || undefined}
            tabIndex={at === standing ? 0 : -1}
            className={classes.row}
            style={{ paddingInlineStart: wide ? laneX(lanes) + 18 : 12 + lane * LANE }}
            onClick={() => onOpen(item.id)}
            onKeyDown={(event) => {
              const step = STEPS[event.key];
              if (step !== undefined) move(at + step);
              else if (event.key === "Home") move(0);
              else if (event.key === "End") move(rows.length - 1);
              else if (event.key === "Enter" || event.key === " ") onOpen(item.id);
              else return;
              event.preventDefault();
            }}
          >
            <Words item={item} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Words({ item }: { item: MapItem }) {
  const { t } = useTranslation();
  const marks = item.kind === "point" ? item.marks : [];
  return (
    <>
      <span className={classes.name}>
        {item.kind === "run" && item.turns > 0
          ? t("map.run", { count: item.turns })
          : item.number === 0
            ? t("map.opening")
            : t("stage.turn", { n: amount(item.number) })}
      </span>
      {marks.includes("present") && <span className={classes.present}>{t("map.present")}</span>}
      {item.kind === "point" &&
        item.saves.map((save) => (
          <span key={save.id} className={classes.save}>
            {save.name}
          </span>
        ))}
      {marks.includes("edit") && <span className={classes.mark}>{t("map.edit")}</span>}
      {item.variants > 0 && (
        <span className={classes.mark}>
          <Icon name="branch" size={14} /> {t("map.variants", { count: item.variants })}
        </span>
      )}
      {item.words !== "" && <span className={classes.words}>{item.words}</span>}
    </>
  );
}

function rowAt(tree: HTMLElement | null, at: number): HTMLElement | undefined {
  return tree?.querySelectorAll<HTMLElement>("[role=treeitem]")[at];
}
