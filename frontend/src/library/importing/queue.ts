/** What is being imported: files on their way, and imports of the server that the reader has not put away.
 * The latter are durable there; their ids are kept here, so that a reload shows them again. */

import { asRefusal, Refusal, unreachable } from "@/api/problem";
import type { components } from "@/api/schema.gen";
import { makeStore } from "@/ui/store";

export interface Queue {
  /** How many files are on their way to the server. */
  sending: number;
  /** The imports that are shown, the latest last. */
  ids: readonly string[];
  error: Refusal | null;
}

const PLACE = "huaben.imports";
const KEPT = 5;

const store = makeStore<Queue>({ sending: 0, ids: remembered(), error: null });

export const useQueue = store.use;

/** Send files to be imported in the background. */
export async function send(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  change({ sending: store.get().sending + files.length, error: null });
  window.addEventListener("beforeunload", hold);
  try {
    const id = await post(files);
    const ids = [...store.get().ids.filter((one) => one !== id), id].slice(-KEPT);
    remember(ids);
    change({ ids });
  } catch (error) {
    change({ error: asRefusal(error) });
  } finally {
    change({ sending: store.get().sending - files.length });
    if (store.get().sending === 0) window.removeEventListener("beforeunload", hold);
  }
}

/** No longer show an import; what it brought stays. */
export function putAway(id: string): void {
  const ids = store.get().ids.filter((one) => one !== id);
  remember(ids);
  change({ ids });
}

export function forgetError(): void {
  change({ error: null });
}

async function post(files: readonly File[]): Promise<string> {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  let answer: Response;
  try {
    answer = await fetch("/api/imports", { method: "POST", body: form });
  } catch {
    throw unreachable();
  }
  if (!answer.ok) {
    const problem: unknown = await answer.json().catch(() => ({}));
    throw new Refusal(
      typeof problem === "object" && problem !== null ? problem : {},
      answer.status,
    );
  }
  const told = (await answer.json()) as components["schemas"]["ImportTold"]; // by its description
  return told.id;
}

function change(next: Partial<Queue>): void {
  store.set({ ...store.get(), ...next });
}

/** Files that are not yet with the server would be lost by leaving. */
function hold(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function remembered(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string").slice(-KEPT) : [];
  } catch {
    return []; // a store that is closed or damaged remembers nothing
  }
}

function remember(ids: readonly string[]): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(ids));
  } catch {
    // They are shown until the page is left.
  }
}
