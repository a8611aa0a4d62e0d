/** What was typed into a field of a panel and not yet saved: it outlasts a reload, and each field of each
 * story has its own. */
import { useState } from "react";

interface Kept {
  text: string;
  /** The value that the text was begun on. */
  base: string;
}

export interface Draft {
  kept: Kept | null;
  open: boolean;
  begin: (value: string) => void;
  type: (text: string) => void;
  leave: () => void;
  drop: () => void;
}

/** The draft of the field `id`; one that differs from what it was begun on stays after leaving. */
export function useDraft(id: string): Draft {
  const place = `huaben.field.${id}`;
  const [kept, setKept] = useState(() => read(place));
  const [open, setOpen] = useState(false);
  const put = (next: Kept | null) => {
    setKept(next);
    write(place, next);
  };
  return {
    kept,
    open,
    begin: (value) => {
      if (kept === null) put({ text: value, base: value });
      setOpen(true);
    },
    type: (text) => put({ text, base: kept?.base ?? "" }),
    leave: () => {
      if (kept !== null && kept.text === kept.base) put(null);
      setOpen(false);
    },
    drop: () => {
      put(null);
      setOpen(false);
    },
  };
}

function read(place: string): Kept | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(place) ?? "null");
    return isKept(found) ? found : null;
  } catch {
    return null; // a store that is closed, or holds something else, keeps nothing
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== "object" || value === null) return false;
  return (
    "text" in value &&
    typeof value.text === "string" &&
    "base" in value &&
    typeof value.base === "string"
  );
}

function write(place: string, kept: Kept | null): void {
  try {
    if (kept === null) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(kept));
  } catch {
    // The text is still in the field.
  }
}
