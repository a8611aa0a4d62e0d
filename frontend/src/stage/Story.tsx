/** The transcript: only what is near the window is drawn, older pages are read on the way up. The view
 * moves by itself twice: when the story is opened, and once when words are sent. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { NewBelow } from "./NewBelow";
import { Queued } from "./Queued";
import { Row } from "./Row";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { useBrought } from "./useBrought";
import { useTarget } from "./useTarget";

/** How long the end is looked for when a story is opened. */
const SETTLE_MS = 60;

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
  const [settled, setSettled] = useState(false);
  useLayoutEffect(() => {
    if (settled || rows.length === 0) return;
    if (target.wanted) return setSettled(true);
    virtual.scrollToIndex(rows.length - 1, { align: "end" });
    const timer = setTimeout(() => {
      setSettled(true);
      const height = scroller.current?.clientHeight ?? 0;
      const size = virtual.getVirtualItems().at(-1)?.size ?? 0;
      // A reply that is longer than the window shows its first line.
      if (size > height) virtual.scrollToIndex(rows.length - 1, { align: "start" });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [settled, rows.length, virtual, target.wanted]);

  const goTo = (id: string) => {
    const index = rows.findIndex((row) => row.id === id);
    if (index >= 0) virtual.scrollToIndex(index, { align: "start" });
  };
  useBrought(target.index >= 0 ? turn : null, scroller, goTo);
  useBrought(rows.some((row) => row.id === sent) ? sent : null, scroller, goTo);

  useEffect(() => {
    // Not before the end was found: what comes before it would move it.
    if (settled && older && first !== undefined && first.index < 4) void readOlder();
  }, [settled, older, first, readOlder]);

  return (
    <div className={classes.around}>
      {target.error !== null && (
        <div className={classes.elsewhere}>
          <ErrorNote error={target.error} />
        </div>
      )}
      {target.elsewhere}
      <div
        ref={scroller}
        className={classes.scroller}
        role="feed"
        aria-label={project.title}
        aria-busy={project.active !== null}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
        tabIndex={0}
      >
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
