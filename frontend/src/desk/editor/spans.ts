/** Differences as changes of a document, and two people's changes of the same text put together. Pure. */
import { ChangeSet, type ChangeSpec, Text } from "@codemirror/state";

/** A stretch of two texts as the server tells it, in UTF-16 units. */
export interface Span {
  kind: "kept" | "deleted" | "inserted";
  from: readonly number[];
  to: readonly number[];
}

/** The text as a document: only `\n` parts lines, so that every other character stays what it is. */
export function docOf(text: string): Text {
  return Text.of(text.split("\n"));
}

/** What leads from the first text of a comparison to the second. */
export function changesOf(spans: readonly Span[], before: number, after: string): ChangeSet {
  const made: ChangeSpec[] = spans
    .filter((span) => span.kind !== "kept")
    .map(({ from, to }) => ({
      from: from[0] ?? 0,
      to: from[1] ?? 0,
      insert: docOf(after.slice(to[0], to[1])),
    }));
  return ChangeSet.of(made, before, "\n");
}

/** Where two texts begin and cease to differ; no character is cut in half. */
export function middle(before: string, after: string): { start: number; ends: [number, number] } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  if (isHigh(before, start - 1)) start -= 1;
  let left = 0;
  const most = shorter - start;
  const same = (at: number) =>
    before.charCodeAt(before.length - at) === after.charCodeAt(after.length - at);
  while (left < most && same(left + 1)) left += 1;
  if (left > 0 && isLow(before, before.length - left)) left -= 1;
  return { start, ends: [before.length - left, after.length - left] };
}

/** The one change that leads from a text to another. */
export function between(before: string, after: string): ChangeSet {
  if (before === after) return ChangeSet.empty(before.length);
  const { start, ends } = middle(before, after);
  const insert = docOf(after.slice(start, ends[1]));
  return ChangeSet.of({ from: start, to: ends[0], insert }, before.length, "\n");
}

/** Two texts compared as the server would, but coarsely: whole paragraphs from the first to the last that
 * differ. For texts that the server does not have. */
export function compared(before: string, after: string) {
  const { start, ends } = middle(before, after);
  const begin = before.lastIndexOf("\n", start - 1) + 1;
  const over = before.indexOf("\n", ends[0]);
  const kept = before.length - (over < 0 ? before.length : over);
  const from: [number, number] = [begin, before.length - kept];
  const to: [number, number] = [begin, after.length - kept];
  const all: Span[] = [
    { kind: "kept", from: [0, begin], to: [0, begin] },
    { kind: "deleted", from, to: [begin, begin] },
    { kind: "inserted", from: [from[1], from[1]], to },
    { kind: "kept", from: [from[1], before.length], to: [to[1], after.length] },
  ];
  const spans = all.filter((one) => one.from[0] !== one.from[1] || one.to[0] !== one.to[1]);
  return { from: { text: before }, to: { text: after }, spans };
}

/** Both passages where two texts differ, that of the first before that of the second. */
export function both(first: string, second: string): string {
  const { start: at, ends } = middle(first, second);
  if (ends[0] === at) return second; // it only adds to the first
  if (ends[1] === at) return first;
  const { spans } = compared(first, second);
  const deleted = spans.find((one) => one.kind === "deleted");
  const inserted = spans.find((one) => one.kind === "inserted");
  const start = (deleted ?? inserted)?.from[0] ?? first.length;
  const gone = first.slice(start, deleted?.from[1] ?? start);
  const came = inserted === undefined ? "" : second.slice(inserted.to[0], inserted.to[1]);
  const passages = [gone, came].filter((one) => one.trim() !== "").join("\n\n");
  return first.slice(0, start) + passages + first.slice(start + gone.length);
}

export interface Merged {
  /** What brings the document up to date. */
  toDocument: ChangeSet;
  /** What is unsaved then: from their text to the document. */
  unsaved: ChangeSet;
}

/** Their change and mine of the same text put together; `null` where they touch each other. */
export function merged(mine: ChangeSet, theirs: ChangeSet): Merged | null {
  let touch = false;
  theirs.iterChangedRanges((from, to) => {
    touch ||= mine.touchesRange(from, to) !== false;
  });
  if (touch) return null;
  return { toDocument: theirs.map(mine), unsaved: mine.map(theirs, true) };
}

function isHigh(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
