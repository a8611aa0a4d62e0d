/** The items of the map in the order of their rows, each with its lane: a branch stands one lane further
 * in, before the way that its fork goes on. Apart from the drawing so that it can be tested. */
import type { components } from "@/api/schema.gen";

type Schemas = components["schemas"];
export type MapItem = Schemas["MapPointTold"] | Schemas["MapRunTold"];

export interface Placed {
  item: MapItem;
  lane: number;
  /** The row of the item that this one follows; `null` at a beginning. */
  from: number | null;
}

/** Every item once, parents before children. At a fork the present path, or else the oldest branch, keeps
 * its lane; the others come first, each one lane further in. */
export function placed(items: readonly MapItem[]): readonly Placed[] {
  const next = new Map<string | null, MapItem[]>();
  for (const item of items) {
    const siblings = next.get(item.after);
    if (siblings === undefined) next.set(item.after, [item]);
    else siblings.push(item);
  }
  const rows: Placed[] = [];
  // A stack, not recursion: a story may have thousands of points in a row.
  const due = following(next.get(null) ?? [], 0, null);
  for (let one = due.pop(); one !== undefined; one = due.pop()) {
    rows.push(one);
    due.push(...following(next.get(one.item.id) ?? [], one.lane, rows.length - 1));
  }
  return rows;
}

/** As they go on the stack: the one that keeps the lane at the bottom. */
function following(items: readonly MapItem[], lane: number, from: number | null): Placed[] {
  const main = items.find((item) => item.on_path) ?? items[0];
  if (main === undefined) return [];
  const sides = items.filter((item) => item !== main).reverse();
  return [{ item: main, lane, from }, ...sides.map((item) => ({ item, lane: lane + 1, from }))];
}
