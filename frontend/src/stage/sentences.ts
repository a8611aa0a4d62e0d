/** The sentences of a reply as they stand on the page: what the pointer selects freely, keys choose from. */
import { tongueOf } from "@/reading/tongue";

export interface Sentence {
  text: string;
  range: Range;
}

/** What is read as one run of words: a sentence goes on through emphasis, not through paragraphs. */
const BLOCKS = "p,li,dd,dt,td,th,h1,h2,h3,h4,h5,h6,pre,summary,figcaption";

/** In their order; none where the reply is not drawn. */
export function sentencesOf(turn: string): Sentence[] {
  const reply = document.querySelector(`[data-reply="${CSS.escape(turn)}"]`);
  if (reply === null) return [];
  const runs = new Map<Element, Text[]>();
  const walker = document.createTreeWalker(reply, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const block = node.parentElement?.closest(BLOCKS) ?? node.parentElement;
    if (!(node instanceof Text) || block === null) continue;
    runs.set(block, [...(runs.get(block) ?? []), node]);
  }
  return [...runs.values()].flatMap(inRun);
}

function inRun(nodes: readonly Text[]): Sentence[] {
  const whole = nodes.map((node) => node.data).join("");
  const segments = new Intl.Segmenter(tongueOf(whole) ?? undefined, { granularity: "sentence" });
  const found: Sentence[] = [];
  for (const { segment, index } of segments.segment(whole)) {
    const text = segment.trim();
    if (text === "") continue;
    const start = index + segment.indexOf(text);
    const range = document.createRange();
    range.setStart(...placeIn(nodes, start, false));
    range.setEnd(...placeIn(nodes, start + text.length, true));
    found.push({ text, range });
  }
  return found;
}

/** Where an offset of the run stands; one between two nodes ends the first or begins the second. */
function placeIn(nodes: readonly Text[], offset: number, ends: boolean): [Text, number] {
  let left = offset;
  for (const node of nodes) {
    if (left < node.length || (ends && left === node.length)) return [node, left];
    left -= node.length;
  }
  const last = nodes.at(-1);
  if (last === undefined) throw new RangeError("a run without words");
  return [last, last.length];
}
