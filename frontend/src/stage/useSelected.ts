/** The piece of a reply that is selected, and where it stands on the screen. */
import { useEffect, useState } from "react";

export interface Marked {
  turn: string;
  /** The paragraph in which it begins. */
  piece: number | null;
  text: string;
  top: number;
  left: number;
}

const SETTLED_MS = 150;
let byKeys = false;

/** Select what was chosen by keys: the bar over it takes the focus. */
export function pickedByKeys(range: Range): void {
  elementOf(range.startContainer)?.scrollIntoView({ block: "center" });
  const selected = document.getSelection();
  selected?.removeAllRanges();
  selected?.addRange(range);
  byKeys = true;
}

/** Whether the selection was made by keys; told once. */
export function wasByKeys(): boolean {
  const was = byKeys;
  byKeys = false;
  return was;
}

/** `null` while nothing is selected, or something outside the replies. */
export function useSelected(): Marked | null {
  const [marked, setMarked] = useState<Marked | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setMarked(selection()), SETTLED_MS);
    };
    document.addEventListener("selectionchange", later);
    document.addEventListener("scroll", later, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener("selectionchange", later);
      document.removeEventListener("scroll", later, { capture: true });
    };
  }, []);
  return marked;
}

function selection(): Marked | null {
  const selected = document.getSelection();
  if (selected === null || selected.isCollapsed || selected.rangeCount === 0) return null;
  const range = selected.getRangeAt(0);
  const start = elementOf(range.startContainer);
  const reply = start?.closest<HTMLElement>("[data-reply]");
  const text = selected.toString().replace(/\s+/g, " ").trim();
  if (reply == null || !reply.contains(range.endContainer) || text === "") return null;
  const piece = start?.closest<HTMLElement>("[data-piece]")?.dataset.piece;
  const box = range.getBoundingClientRect();
  return {
    turn: reply.dataset.reply ?? "",
    piece: piece === undefined ? null : Number(piece),
    text,
    top: box.top,
    left: Math.min(Math.max(box.left + box.width / 2, 130), window.innerWidth - 130),
  };
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
}
