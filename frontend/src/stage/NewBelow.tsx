/** The pill that says that text grows below the window, and the following of the last line for those who
 * want it; any scroll upwards lets go. */
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePicked } from "@/api/liveturn";
import { preferences } from "@/reading/preferences";
import classes from "./Stage.module.css";
import { useStage } from "./stage";

export function NewBelow({ scroller }: { scroller: RefObject<HTMLDivElement | null> }) {
  const { t } = useTranslation();
  const { live, busy, sent } = useStage();
  const view = usePicked(live, (now) => now);
  const [below, setBelow] = useState(false);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending takes up following again
  useEffect(() => {
    follows.current = true;
  }, [sent]);

  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    let before = box.scrollTop;
    const look = () => {
      if (box.scrollTop < before - 2) follows.current = false;
      before = box.scrollTop;
      setBelow(isBelow(box));
    };
    box.addEventListener("scroll", look, { passive: true });
    return () => box.removeEventListener("scroll", look);
  }, [scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each drawing of the view may grow the text
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    if (busy && preferences().followLast && follows.current) toTail(box);
    setBelow(isBelow(box));
  }, [view, busy, scroller]);

  if (!busy || !below) return null;
  return (
    <button
      type="button"
      className={classes.pill}
      onClick={() => scroller.current !== null && toTail(scroller.current)}
    >
      ↓ {t("stage.newBelow")}
    </button>
  );
}

function tailOf(box: HTMLElement): Element | null {
  return box.querySelector("[data-tail]");
}

function isBelow(box: HTMLElement): boolean {
  const tail = tailOf(box);
  return tail !== null && tail.getBoundingClientRect().top > box.getBoundingClientRect().bottom + 8;
}

function toTail(box: HTMLElement): void {
  const tail = tailOf(box);
  if (tail === null) return;
  const beyond = tail.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom + 16;
  if (beyond > 0) box.scrollTop += beyond;
}
