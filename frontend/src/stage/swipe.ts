/** Paging by a finger: the axis is locked after ten pixels, the edges of the screen belong to the system,
 * and nothing happens while text is selected. Pure but for what it is told. */

const EDGE = 24;
const LOCK = 10;
const FAR = 56;

export interface Finger {
  x: number;
  y: number;
}

export type Swipe =
  | { phase: "idle" }
  | { phase: "down"; from: Finger }
  | { phase: "across"; from: Finger; by: number }
  | { phase: "scrolling" };

export const IDLE: Swipe = { phase: "idle" };

export function down(at: Finger, width: number, selecting: boolean): Swipe {
  const edge = at.x < EDGE || at.x > width - EDGE;
  return edge || selecting ? { phase: "scrolling" } : { phase: "down", from: at };
}

export function moved(swipe: Swipe, to: Finger): Swipe {
  if (swipe.phase === "across") return { ...swipe, by: to.x - swipe.from.x };
  if (swipe.phase !== "down") return swipe;
  const [x, y] = [Math.abs(to.x - swipe.from.x), Math.abs(to.y - swipe.from.y)];
  if (Math.max(x, y) < LOCK) return swipe;
  return x > y
    ? { phase: "across", from: swipe.from, by: to.x - swipe.from.x }
    : { phase: "scrolling" };
}

/** -1: the one before, 1: the next, 0: nothing. */
export function paged(swipe: Swipe): -1 | 0 | 1 {
  if (swipe.phase !== "across" || Math.abs(swipe.by) < FAR) return 0;
  return swipe.by > 0 ? -1 : 1;
}
