/** Bringing a turn to the top of the window, once: its room is measured only after it was drawn, so that
 * the first scroll may fall short. Whoever scrolls meanwhile has the last word. */
import { type RefObject, useLayoutEffect, useRef } from "react";

const FRAMES = 20;
const NEAR_PX = 2;

/** Bring the turn of that id to the top, when it comes to be one (`null`: none); `scroll` goes there as
 * far as its place is known. */
export function useBrought(
  id: string | null,
  scroller: RefObject<HTMLElement | null>,
  scroll: (id: string) => void,
): void {
  const latest = useRef(scroll);
  latest.current = scroll;
  useLayoutEffect(() => {
    if (id !== null) return bring(scroller.current, id, () => latest.current(id));
  }, [id, scroller]);
}

function bring(box: HTMLElement | null, turn: string, scroll: () => void): () => void {
  let frame = 0;
  let left = FRAMES;
  const stop = () => {
    left = 0;
    cancelAnimationFrame(frame);
    box?.removeEventListener("wheel", stop);
    box?.removeEventListener("touchmove", stop);
  };
  const look = () => {
    left -= 1;
    if (left <= 0) return stop();
    const row = box?.querySelector(`[data-row="${turn}"]`);
    const off = row == null || box === null ? null : distance(row, box);
    if (off === null || Math.abs(off) > NEAR_PX) scroll();
    frame = requestAnimationFrame(look);
  };
  box?.addEventListener("wheel", stop, { passive: true });
  box?.addEventListener("touchmove", stop, { passive: true });
  scroll();
  frame = requestAnimationFrame(look);
  return stop;
}

function distance(row: Element, box: Element): number {
  return row.getBoundingClientRect().top - box.getBoundingClientRect().top;
}
