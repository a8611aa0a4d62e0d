/** The transcript: only what is near the window is drawn, older pages are read on the way up. The view
 * moves by itself twice: when the story is opened, and once when words are sent. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { bringToTop } from "./bringToTop";
import { NewBelow } from "./NewBelow";
import { Queued } from "./Queued";
import { Row } from "./Row";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { useTarget } from "./useTarget";

interface StoryProps {
  older: boolean;
  readOlder: (limit?: number) => Promise<void>;
  /** The turn that the address names. */
  turn: string | null;
}

export function Story({ older, readOlder, turn }: StoryProps) {
  const { t } = useTranslation();
  const { rows, project, sent } = useStage();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 480,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 2,
    // What the reader looks at stays where it is when something comes before or behind it; growing at
    // the end moves nothing.
    anchorTo: "end",
    scrollEndThreshold: -1,
  });
  const items = virtual.getVirtualItems();
  const first = items[0];

  const target = useTarget(turn, older, readOlder);
  const opened = useRef(false);
  useLayoutEffect(() => {
    if (opened.current || rows.length === 0) return;
    opened.current = true;
    if (target.wanted) return;
    virtual.scrollToIndex(rows.length - 1, { align: "end" });
    const timer = setTimeout(() => {
      const height = scroller.current?.clientHeight ?? 0;
      const size = virtual.getVirtualItems().at(-1)?.size ?? 0;
      // A reply that is longer than the window shows its first line.
      if (size > height) virtual.scrollToIndex(rows.length - 1, { align: "start" });
    }, 60);
    return () => clearTimeout(timer);
  }, [rows.length, virtual, target.wanted]);

  useLayoutEffect(() => {
    if (target.index >= 0) virtual.scrollToIndex(target.index, { align: "start" });
  }, [target.index, virtual]);

  const brought = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (sent === null || brought.current === sent) return;
    const index = rows.findIndex((row) => row.id === sent);
    if (index < 0) return;
    brought.current = sent;
    return bringToTop(
      () => scroller.current,
      sent,
      () => virtual.scrollToIndex(index, { align: "start" }),
    );
  }, [rows, sent, virtual]);

  useEffect(() => {
    if (older && first !== undefined && first.index < 4) void readOlder();
  }, [older, first, readOlder]);

  return (
    <div className={classes.around}>
      <div
        ref={scroller}
        className={classes.scroller}
        role="feed"
        aria-label={project.title}
        aria-busy={project.active !== null}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
        tabIndex={0}
      >
        {target.error !== null && <ErrorNote error={target.error} />}
        {target.elsewhere}
        <div className={classes.whole} style={{ height: virtual.getTotalSize() }}>
          <div style={{ transform: `translateY(${first?.start ?? 0}px)` }}>
            {items.map((item) => {
              const row = rows[item.index];
              if (row === undefined) return null;
              return (
                <div
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  data-row={row.id}
                  className={classes.row}
                  data-sent={row.id === sent || undefined}
                >
                  <Row item={row} last={item.index === rows.length - 1} />
                </div>
              );
            })}
          </div>
        </div>
        {rows.length === 0 && <p className={classes.facts}>{t("stage.blank")}</p>}
        <Queued />
      </div>
      <NewBelow scroller={scroller} />
    </div>
  );
}
