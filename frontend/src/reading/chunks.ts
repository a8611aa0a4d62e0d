/** Prose cut into pieces that are drawn one by one, so that of a growing text only the last is parsed
 * again. Pure; apart from the parsing so that both can be tested alone. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const OPENING =
  /<(div|details|table|section|center|blockquote|ul|ol|dl|span|p|font|pre|article|aside|header|footer|figure)\b[^>]*>/gi;
const CLOSING =
  /<\/(div|details|table|section|center|blockquote|ul|ol|dl|span|p|font|pre|article|aside|header|footer|figure)\s*>/gi;

/** Where a piece stands in its text, in UTF-16 units. */
export interface Cut {
  start: number;
  end: number;
}

/** The pieces of a Markdown text between blank lines; what belongs together stays together: fenced
 * blocks, elements that are still open, lines that are indented under a list. A piece that was told once
 * does not change while text is added behind the next one. */
export function chunksOf(text: string): string[] {
  return cutsOf(text).map(({ start, end }) => text.slice(start, end));
}

/** The same pieces by their places. */
export function cutsOf(text: string): Cut[] {
  const cuts: Cut[] = [];
  let cut = null as Cut | null; // set below
  let fence = "";
  let open = 0;
  for (const line of linesOf(text)) {
    const words = text.slice(line.start, line.end);
    if (words.trim() === "" && fence === "" && open <= 0) {
      if (cut !== null) cuts.push(cut);
      cut = null;
      open = 0;
      continue;
    }
    const marker = FENCE.exec(words)?.[1] ?? "";
    if (fence !== "") {
      if (marker.startsWith(fence)) fence = "";
    } else if (marker !== "") {
      fence = marker;
    } else {
      open += count(words, OPENING) - count(words, CLOSING);
    }
    cut = { start: cut?.start ?? line.start, end: line.end };
  }
  if (cut !== null) cuts.push(cut);
  return withIndented(text, cuts);
}

function* linesOf(text: string): Generator<Cut> {
  let start = 0;
  for (const found of text.matchAll(/\r\n?|\n/g)) {
    yield { start, end: found.index };
    start = found.index + found[0].length;
  }
  yield { start, end: text.length };
}

function withIndented(text: string, cuts: readonly Cut[]): Cut[] {
  const made: Cut[] = [];
  for (const cut of cuts) {
    const before = made.at(-1);
    const under =
      before !== undefined &&
      /^( {2,}|\t)\S/.test(text.slice(cut.start, cut.end)) &&
      /^ {0,3}([-*+]|\d+[.)]) /m.test(text.slice(before.start, before.end));
    if (under) before.end = cut.end;
    else made.push({ ...cut });
  }
  return made;
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}
