/** Where people speak in a paragraph: the stretches between quotation marks. Pure; the drawing colours
 * what is found here and stores nothing. */

export interface Stretch {
  start: number;
  end: number;
}

/** Openings and what may close each. */
const MARKS: Readonly<Record<string, string>> = {
  "“": "”",
  "„": "“”",
  "「": "」",
  "『": "』",
  "«": "»",
  '"': '"',
};

/** The outermost quoted stretches of one paragraph, marks included, in UTF-16 units. A mark that is not
 * closed in the paragraph opens nothing. */
export function spokenIn(paragraph: string): Stretch[] {
  const found: Stretch[] = [];
  let at = 0;
  while (at < paragraph.length) {
    const closing = MARKS[paragraph[at] ?? ""];
    const end = closing === undefined ? -1 : closed(paragraph, at, closing);
    if (end < 0) {
      at += 1;
      continue;
    }
    found.push({ start: at, end });
    at = end;
  }
  return found;
}

/** The end of the quotation that opens at `at`; -1 where it is not closed. */
function closed(text: string, at: number, closing: string): number {
  const opening = text[at] ?? "";
  const nests = !closing.includes(opening) && opening !== "„";
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    const mark = text[i] ?? "";
    if (nests && mark === opening) depth += 1;
    else if (i > at && closing.includes(mark)) {
      depth -= 1;
      if (depth <= 0) return i + 1;
    }
  }
  return -1;
}
