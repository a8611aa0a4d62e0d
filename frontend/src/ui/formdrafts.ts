/** What is typed into a form and not yet kept, in the browser's own store: it outlives a reload. */
const PREFIX = "huaben.form.";

export function readDraft(place: string): object {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + place) ?? "{}");
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch {
    return {}; // a store that is closed or damaged holds no draft
  }
}

export function keepDraft(place: string, typed: object): void {
  try {
    localStorage.setItem(PREFIX + place, JSON.stringify(typed));
  } catch {
    // A full or closed store: what is typed is still in the form.
  }
}

export function forgetDraft(place: string): void {
  try {
    localStorage.removeItem(PREFIX + place);
  } catch {
    // as above
  }
}

/** What is typed into forms of one thing goes along when the thing is known by another id. */
export function moveDrafts(from: string, to: string): void {
  try {
    const places = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + from));
    for (const place of places) {
      const typed = localStorage.getItem(place);
      if (typed !== null)
        localStorage.setItem(PREFIX + to + place.slice((PREFIX + from).length), typed);
      localStorage.removeItem(place);
    }
  } catch {
    // as above
  }
}
