/** The files of a move, as the report groups and chooses them; apart from its screen, so that it is tested
 * without one. */
import type { MoveItem } from "./types";

export const WHICH = ["all", "refused", "lost", "already"] as const;
export type Which = (typeof WHICH)[number];

/** What came, by kind, with where to find it; only kinds that are there, in the order of the shelves. */
export const SHELVES = {
  card: "/library/cards",
  lorebook: "/library/lorebooks",
  persona: "/library/personas",
  picture: "/library/personas",
  preset: "/library/presets",
  scripts: "/library/scripts",
  quick_replies: "/library/quick-replies",
  chat: "/",
} as const;
export type Shelf = keyof typeof SHELVES;

export interface Came {
  kind: Shelf;
  href: string;
  count: number;
}

export function cameOf(items: readonly MoveItem[]): Came[] {
  const counts = new Map<string, number>();
  for (const { kind, fate } of items) {
    if (kind !== null && fate !== "refused") counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Object.entries(SHELVES).flatMap(([kind, href]) => {
    const count = counts.get(kind) ?? 0;
    return count === 0 ? [] : [{ kind: kind as Shelf, href, count }]; // its own key
  });
}

/** Those files that a reader asked to see: refused ones first among all. */
export function chosen(items: readonly MoveItem[], which: Which): MoveItem[] {
  const found = items.filter((item) => which === "all" || belongs(item, which));
  return which === "all" ? found.sort((a, b) => rank(a) - rank(b) || a.n - b.n) : found;
}

function belongs(item: MoveItem, which: Exclude<Which, "all">): boolean {
  if (which === "lost") return item.fate === "imported" && isLossy(item);
  return item.fate === which;
}

function isLossy({ report }: MoveItem): boolean {
  return report !== null && (report.dropped.length > 0 || report.warnings.length > 0);
}

function rank(item: MoveItem): number {
  return item.fate === "refused" ? 0 : 1;
}
