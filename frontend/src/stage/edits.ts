/** Edits that the user has begun, per turn: kept in this browser until they are saved or discarded by
 * word. Apart from the editor because the box and the buttons ask whether one is open. */
import { useSyncExternalStore } from "react";
import type { PathItem } from "@/api/types";
import { cutsOf } from "@/reading/chunks";
import { keep, kept } from "@/ui/draft";
import { makeStore } from "@/ui/store";

export interface Edit {
  turn: string;
  /** The version that was seen, and which stretch of its text is being changed. */
  version: number;
  start: number;
  end: number;
  text: string;
  /** Whether the editor is open; a closed one is a chip. */
  open: boolean;
}

const PLACE = "huaben.edits";
const store = makeStore<Readonly<Record<string, Edit>>>(stored());

function stored(): Readonly<Record<string, Edit>> {
  try {
    const found: unknown = JSON.parse(kept(PLACE) || "{}");
    if (typeof found !== "object" || found === null) return {};
    const edits = found as Record<string, Edit>; // written below and nowhere else
    return Object.fromEntries(Object.entries(edits).map(([id, e]) => [id, { ...e, open: false }]));
  } catch {
    return {};
  }
}

function put(turn: string, edit: Edit | null): void {
  const { [turn]: _, ...others } = store.get();
  const next = edit === null ? others : { ...others, [turn]: edit };
  store.set(next);
  keep(PLACE, Object.keys(next).length === 0 ? "" : JSON.stringify(next));
}

export function useEdit(turn: string): Edit | null {
  return useSyncExternalStore(store.watch, () => store.get()[turn] ?? null);
}

/** Whether any editor is open: what generates is off meanwhile. */
export function useEditing(): boolean {
  return useSyncExternalStore(store.watch, () => Object.values(store.get()).some((e) => e.open));
}

/** Open a piece of a reply, or all of it. Where scripts make the reader see another text, all of the
 * stored one is opened, since its pieces are not those that are seen. */
export function beginEdit(item: PathItem, piece: number | null): void {
  const whole = { start: 0, end: item.final_text.length };
  const same = item.display == null || item.display.final_text === item.final_text;
  const cut = piece !== null && same ? (cutsOf(item.final_text)[piece] ?? whole) : whole;
  const text = item.final_text.slice(cut.start, cut.end);
  put(item.id, { turn: item.id, version: item.version, ...cut, text, open: true });
}

export function typeEdit(edit: Edit, text: string): void {
  put(edit.turn, { ...edit, text });
}

export function openEdit(edit: Edit): void {
  put(edit.turn, { ...edit, open: true });
}

/** Close the editor; what was typed stays behind a chip, nothing typed leaves nothing. */
export function leaveEdit(item: PathItem, edit: Edit): void {
  put(edit.turn, changes(item, edit) ? { ...edit, open: false } : null);
}

export function forgetEdit(turn: string): void {
  put(turn, null);
}

export function changes(item: PathItem, edit: Edit): boolean {
  return item.final_text.slice(edit.start, edit.end) !== edit.text;
}

/** The whole text with the edit in it. */
export function edited(item: PathItem, edit: Edit): string {
  return item.final_text.slice(0, edit.start) + edit.text + item.final_text.slice(edit.end);
}
