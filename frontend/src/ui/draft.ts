/** What stands in the box, per project, kept in this browser on each input; apart from the box because
 * undo, cues and changes put words there too. Nothing here is cleared but by an acknowledgement. */
import { makeStore, type Store } from "./store";

const stores = new Map<string, Store<string>>();

/** The words of a project's box. */
export function draftOf(project: string): Store<string> {
  const known = stores.get(project);
  if (known !== undefined) return known;
  const store = makeStore(kept(`huaben.draft.${project}`));
  store.watch(() => keep(`huaben.draft.${project}`, store.get()));
  stores.set(project, store);
  return store;
}

/** Words come back to the box, before whatever is there. */
export function giveBack(project: string, words: string): void {
  const draft = draftOf(project);
  const there = draft.get();
  if (words.trim() === "" || there === words) return;
  draft.set(there.trim() === "" ? words : `${words}\n\n${there}`);
}

/** The words were acknowledged: they leave the box, what was typed behind them stays. */
export function acknowledged(project: string, words: string): void {
  const draft = draftOf(project);
  const there = draft.get();
  if (there === words) draft.set("");
  else if (there.startsWith(words)) draft.set(there.slice(words.length).trimStart());
  keep(`huaben.pending.${project}`, "");
}

/** The name of a request for these words: the same one until they are acknowledged, so that asking again
 * after a lost answer is not a second turn. */
export function requestFor(project: string, words: string): string {
  const place = `huaben.pending.${project}`;
  try {
    const before: unknown = JSON.parse(kept(place) || "null");
    if (typeof before === "object" && before !== null) {
      const { text, id } = before as Record<string, unknown>;
      if (text === words && typeof id === "string") return id;
    }
  } catch {
    // Something else was stored there; a new name is right.
  }
  const id = randomName();
  keep(place, JSON.stringify({ text: words, id }));
  return id;
}

/** Random, also where the page is served without encryption. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function kept(place: string): string {
  try {
    return localStorage.getItem(place) ?? "";
  } catch {
    return "";
  }
}

export function keep(place: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(place);
    else localStorage.setItem(place, text);
  } catch {
    // Without storage the words live as long as the page.
  }
}
