/** One piece of prose as nodes to show: parsed, made safe, its speech coloured, its language named. Drawn
 * pieces are kept, so that going back over a story parses nothing twice. */

import { LOOK } from "./bare";
import { spokenIn } from "./dialogue";
import { applyLook } from "./look";
import { toHtml } from "./markdown";
import { safeFragment } from "./sanitize";
import { tongueOf } from "./tongue";

const KEPT = 600;
const drawn = new Map<string, DocumentFragment>();

/** Fresh nodes for a piece of Markdown. */
export function draw(text: string): Node {
  const known = drawn.get(text);
  const made = known ?? drawAnew(text);
  drawn.delete(text); // the order of the map is the order of use
  drawn.set(text, made);
  const oldest = drawn.keys().next();
  if (drawn.size > KEPT && oldest.done !== true) drawn.delete(oldest.value);
  return dressed(document.importNode(made, true));
}

/** Looks are set on the very nodes that are shown: copies of styled nodes would offend the policy. */
function dressed(fragment: DocumentFragment): DocumentFragment {
  for (const element of fragment.querySelectorAll<HTMLElement>(`[${LOOK}]`)) {
    applyLook(element, element.getAttribute(LOOK) ?? "");
    element.removeAttribute(LOOK);
  }
  return fragment;
}

function drawAnew(text: string): DocumentFragment {
  const fragment = safeFragment(toHtml(text));
  colourSpeech(fragment);
  nameTongues(fragment);
  return fragment;
}

// ---- speech ----------------------------------------------------------------------------------------

const BLOCKS = "p,li,dd,dt,td,th,h1,h2,h3,h4,h5,h6,summary,div,blockquote,figcaption,caption";
const SILENT = "code,pre,kbd";

/** Within one paragraph, never across: a quotation that is not closed in its line spills nowhere. */
function colourSpeech(fragment: DocumentFragment): void {
  for (const run of runsOf(fragment)) {
    const whole = run.map((node) => node.data).join("");
    for (const { start, end } of spokenIn(whole).reverse()) wrap(run, start, end);
  }
}

/** The text nodes of each line of each paragraph. */
function runsOf(fragment: DocumentFragment): Text[][] {
  const walker = document.createTreeWalker(
    fragment,
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
  );
  const runs: Text[][] = [];
  let block: Element | null | undefined;
  let run: Text[] = [];
  const cut = () => {
    if (run.length > 0) runs.push(run);
    run = [];
  };
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) {
      const parent = node.parentElement;
      const around = parent?.closest(BLOCKS) ?? null;
      if (around !== block) cut();
      block = around;
      if (parent?.closest(SILENT) == null) run.push(node);
    } else if (node.nodeName === "BR" || node.nodeName === "HR") cut();
  }
  cut();
  return runs;
}

function wrap(run: Text[], start: number, end: number): void {
  let at = 0;
  for (const node of [...run]) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, node.length)];
    at += node.length;
    if (from >= to) continue;
    const after = to < node.length ? node.splitText(to) : null;
    const inside = from > 0 ? node.splitText(from) : node;
    const speech = document.createElement("span");
    speech.className = "dialogue";
    inside.replaceWith(speech);
    speech.append(inside);
    // What lies before is still to be coloured: only that part of the node is left in the run.
    const place = run.indexOf(node);
    run.splice(place, 1, ...[from > 0 ? node : null, inside, after].filter((one) => one !== null));
  }
}

// ---- language --------------------------------------------------------------------------------------

function nameTongues(fragment: DocumentFragment): void {
  for (const element of fragment.querySelectorAll(`${BLOCKS},em,i`)) {
    if (element.hasAttribute("lang")) continue;
    const tongue = tongueOf(element.textContent ?? "");
    if (tongue !== null) element.setAttribute("lang", tongue);
  }
}
