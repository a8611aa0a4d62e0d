/** The story as far as it was read: the path to the head, from its end backwards, put together from
 * pages. Pure; apart from the asking (`useTranscript.ts`) so that it can be tested alone. */
import type { PathItem, PathPage } from "@/api/types";

export interface Transcript {
  head: string;
  /** Oldest first; edits are among them. */
  items: readonly PathItem[];
  /** Where to go on towards the beginning; `null`: all is there. */
  older: string | null;
}

/** What was read, with its end read again. Where the new end hangs together with what was known, that
 * stays in front of it; else the story stands elsewhere and reading begins at its end. */
export function joined(before: Transcript | undefined, page: PathPage): Transcript {
  const alone = { head: page.head, items: page.items, older: page.next };
  const first = page.items[0];
  if (before === undefined || first === undefined) return alone;
  const at = before.items.findIndex((item) => item.id === first.id);
  if (at > 0)
    return { ...alone, items: [...before.items.slice(0, at), ...page.items], older: before.older };
  if (at === 0) return alone;
  const last = before.items.at(-1);
  if (last === undefined || first.parent !== last.id) return alone;
  return { ...alone, items: [...before.items, ...page.items], older: before.older };
}

/** An older page put before what was read; a page that does not fit any more changes nothing. */
export function preceded(before: Transcript, page: PathPage): Transcript {
  const known = new Set(before.items.map((item) => item.id));
  const items = page.items.filter((item) => !known.has(item.id));
  if (items.length === 0) return { ...before, older: page.next };
  if (before.items[0]?.parent !== items.at(-1)?.id) return before;
  return { ...before, items: [...items, ...before.items], older: page.next };
}

/** Whether texts before the end may read differently now: an edit came or went. */
export function retold(before: Transcript | undefined, now: Transcript): boolean {
  if (before === undefined) return false;
  const edits = (one: Transcript) =>
    one.items
      .filter((item) => item.kind === "edit" || item.status === "revised")
      .map((item) => item.id)
      .join();
  return edits(before) !== edits(now);
}

/** What is shown: edits and finished continuations are not, they stand in the texts that they changed. */
export function shown(items: readonly PathItem[]): readonly PathItem[] {
  return items.filter(
    (item) => item.kind !== "edit" && !(continuation(item) && item.status === "revised"),
  );
}

/** Whether a turn goes on from an earlier text, at nobody's words. */
export function continuation(item: PathItem): boolean {
  return item.kind === "turn" && item.revises != null && item.user_text === "";
}

/** The text of a reply as the reader sees it: after scripts, where there are any. */
export function replyOf(item: PathItem): string {
  return item.display?.final_text ?? item.final_text;
}

export function wordsOf(item: PathItem): string {
  return item.display?.user_text ?? item.user_text;
}

/** The number that a turn has, or will have once it is sealed. */
export function numberOf(item: PathItem): number {
  return item.kind === "turn" && item.status !== "sealed" ? item.number + 1 : item.number;
}

/** The latest reply that history keeps: what a selection may change. */
export function latestReply(items: readonly PathItem[]): PathItem | null {
  return items.findLast((item) => isReply(item)) ?? null;
}

export function isReply(item: PathItem): boolean {
  return (item.kind === "turn" && item.status === "sealed") || item.kind === "greeting";
}

export type Unfinished = "unsealed" | "stopped" | "failed" | "interrupted";

export function unfinished(status: string): status is Unfinished {
  return ["unsealed", "stopped", "failed", "interrupted"].includes(status);
}
