/** What a turn changed, sentence by sentence, from the spans that the server found. Pure. */
import type { ChangeDesc } from "@codemirror/state";
import type { Span } from "../editor/spans";

/** A piece that came, or words that went at a place; in the text as it is. */
export interface Part {
  from: number;
  to: number;
  /** What stood here before; empty: nothing. */
  gone: string;
}

/** The changes of one sentence. `from` and `to` are its place in the text as it is; `old` stood there. */
export interface Change {
  /** The same for the same change of the same texts. */
  key: string;
  from: number;
  to: number;
  old: string;
  parts: readonly Part[];
  /** Whether it lies in the paragraph of the change before it. */
  joined: boolean;
}

/** The end of a sentence with what closes it, or the end of a line. */
const END = /[。！？!?…]+[”’」』）)"']*|\.[”’"')]*(?=\s|$)|\n/u;
const ENDS = new RegExp(`(?:${END.source})\\s*$`, "u");

/** The changes between two texts, those of one sentence together. */
export function changesBetween(spans: readonly Span[], old: string, now: string): Change[] {
  const wordsOf = (span: Span) =>
    span.kind === "deleted"
      ? old.slice(span.from[0], span.from[1])
      : now.slice(span.to[0], span.to[1]);
  const made: Change[] = [];
  let group: Span[] = [];
  let joined = false;
  let between = "";
  const close = () => {
    if (group.length > 0) made.push(changeOf(group, old, now, joined));
  };
  for (const span of inParagraphs(spans, wordsOf)) {
    if (span.kind === "kept") {
      between += wordsOf(span);
      continue;
    }
    const last = group.at(-1);
    const before = last === undefined ? "" : wordsOf(last);
    const apart =
      between === "" ? breaks(last, span, before) : END.test(between) || ENDS.test(before);
    if (last === undefined || apart) {
      close();
      group = [span];
      const line = before.endsWith("\n") || between.includes("\n");
      joined = last !== undefined && !line && !wordsOf(span).startsWith("\n");
    } else group.push(span);
    between = "";
  }
  close();
  return made;
}

/** Two pieces of the same kind side by side are paragraphs that were taken apart. */
function breaks(last: Span | undefined, span: Span, before: string): boolean {
  return last !== undefined && last.kind === span.kind && before.endsWith("\n");
}

/** Whole paragraphs that came or went at one place, each for itself. */
function* inParagraphs(spans: readonly Span[], wordsOf: (span: Span) => string): Iterable<Span> {
  for (const [at, span] of spans.entries()) {
    const beside = [spans[at - 1], spans[at + 1]].some(
      (one) => one !== undefined && one.kind !== "kept",
    );
    const pieces =
      beside || span.kind === "kept" ? null : wordsOf(span).match(/[^\n]*\n+|[^\n]+$/g);
    if (pieces === null || pieces.length < 2) {
      yield span;
      continue;
    }
    let [from, to] = [span.from[0] ?? 0, span.to[0] ?? 0];
    for (const piece of pieces) {
      const [gone, came] = span.kind === "deleted" ? [piece.length, 0] : [0, piece.length];
      yield { kind: span.kind, from: [from, from + gone], to: [to, to + came] };
      [from, to] = [from + gone, to + came];
    }
  }
}

function changeOf(group: readonly Span[], old: string, now: string, joined: boolean): Change {
  const place = (span: Span | undefined, side: "from" | "to", edge: 0 | 1) =>
    span?.[side][edge] ?? 0;
  const [first, last] = [group.at(0), group.at(-1)];
  const from = place(first, "to", 0);
  const to = place(last, "to", 1);
  const start = place(first, "from", 0);
  const end = place(last, "from", 1);
  const parts = group.map((span) => ({
    from: place(span, "to", 0),
    to: place(span, "to", 1),
    gone: span.kind === "deleted" ? old.slice(span.from[0], span.from[1]) : "",
  }));
  const key = `${start}.${end}.${to - from}.${now.slice(from, Math.min(to, from + 24))}`;
  return { key, from, to, old: old.slice(start, end), parts, joined };
}

/** The changes after another change of the text; one that this touched is nobody's to review any more. */
export function mapped(changes: readonly Change[], by: ChangeDesc): Change[] {
  return changes.filter((one) => !touches(by, one.from, one.to)).map((one) => moved(one, by));
}

/** A change at its new place. */
export function moved(change: Change, by: ChangeDesc): Change {
  const place = (from: number, to: number) => {
    const start = by.mapPos(from, from === to ? -1 : 1);
    return { from: start, to: Math.max(start, by.mapPos(to, -1)) };
  };
  const parts = change.parts.map((part) => ({ ...part, ...place(part.from, part.to) }));
  return { ...change, ...place(change.from, change.to), parts };
}

/** Whether a change of the text reaches into a stretch; touching its edge is not enough. */
function touches(by: ChangeDesc, from: number, to: number): boolean {
  let found = false;
  by.iterChangedRanges((start, end) => {
    found ||= from === to ? start < from && end > from : start < to && end > from;
  });
  return found;
}

/** The numbers of all changes in the paragraph of one. */
export function paragraphOf(changes: readonly Change[], at: number): number[] {
  let first = at;
  while (first > 0 && changes[first]?.joined === true) first -= 1;
  let last = at;
  while (changes[last + 1]?.joined === true) last += 1;
  return Array.from({ length: last - first + 1 }, (_, step) => first + step);
}
