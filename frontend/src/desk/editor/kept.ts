/** Text of a chapter that the server does not have yet, kept in this browser on each input. */

const placeOf = (project: string, name: string) => `huaben.chapter.${project}.${name}`;

export interface KeptText {
  /** Hash of the text that it was made from. */
  hash: string;
  text: string;
}

export function keptText(project: string, name: string): KeptText | null {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(placeOf(project, name)) ?? "null");
    if (typeof read !== "object" || read === null) return null;
    const { hash, text } = read as Record<string, unknown>;
    return typeof hash === "string" && typeof text === "string" ? { hash, text } : null;
  } catch {
    return null;
  }
}

/** Keep a text, or with `null` forget it. */
export function keepText(project: string, name: string, kept: KeptText | null): void {
  try {
    if (kept === null) localStorage.removeItem(placeOf(project, name));
    else localStorage.setItem(placeOf(project, name), JSON.stringify(kept));
  } catch {
    // A chapter that is larger than the storage lives as long as the page.
  }
}

/** Forget a text that was stored; what was typed since, perhaps in another tab, stays. */
export function forgetText(project: string, name: string, stored: string): void {
  if (keptText(project, name)?.text === stored) keepText(project, name, null);
}
