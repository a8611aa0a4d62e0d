/** What the record of a checkpoint says: who made it, what it changed, how it is called. Pure. */
import i18next from "i18next";
import type { Changed, Checkpoint } from "./checkpoints";

/** One chapter in a change: `was` is the name that it had, `null` for a new one; `name` is `null` for one
 * that is gone. */
export interface Touched {
  kind: "added" | "modified" | "renamed" | "removed";
  was: string | null;
  name: string | null;
}

/** The chapters of a change in the order of their names. */
export function touched(changed: Changed): Touched[] {
  const all: Touched[] = [
    ...changed.added.map((name) => ({ kind: "added" as const, was: null, name })),
    ...changed.modified.map((name) => ({ kind: "modified" as const, was: name, name })),
    ...changed.renamed.map(([was = "", name = ""]) => ({ kind: "renamed" as const, was, name })),
    ...changed.removed.map((was) => ({ kind: "removed" as const, was, name: null })),
  ];
  return all.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

export function nameOf(one: Touched): string {
  return one.name ?? one.was ?? "";
}

/** A chapter's file name without what every one ends in. */
export function shortOf(name: string): string {
  return name.replace(/\.md$/iu, "");
}

export type Maker = "model" | "you" | "elsewhere";

/** Who made a checkpoint: an edit that was found on the disk was made outside of the page. */
export function makerOf(one: Checkpoint): Maker {
  if (one.author === "agent") return "model";
  return one.cause === "found" ? "elsewhere" : "you";
}

/** The moment of a checkpoint, to the minute. */
export function momentOf(one: Checkpoint): string {
  const date = new Date(one.time);
  const thisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleString(i18next.language, {
    year: thisYear ? undefined : "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** What a checkpoint is called where there is one line for it. */
export function labelOf(one: Checkpoint): string {
  const words = one.name || one.message.split("\n")[0] || "";
  return [`${one.number}`, words.slice(0, 24), momentOf(one)].filter(Boolean).join(" · ");
}
