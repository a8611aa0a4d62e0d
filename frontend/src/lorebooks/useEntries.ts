/** All entries of a book, of the library or of a card: books of thousands come in a few answers. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { Entries, Entry } from "./types";

const PAGE = 1000;

export interface BookPlace {
  id: string;
  /** The book inside the card of that id. */
  ofCard: boolean;
}

export function useEntries(place: BookPlace) {
  return useQuery({
    queryKey: [...keys.lorebooks, place, "entries"],
    queryFn: async () => {
      const first = await pageOf(place, 0);
      const items: Entry[] = [...first.items];
      let after = first.next;
      while (after !== null) {
        const more: Entries = await pageOf(place, after);
        items.push(...more.items);
        after = more.next;
      }
      return { ...first, items, id: place.id };
    },
    placeholderData: keepPreviousData, // a change leads to another id: no blink between them
  });
}

function pageOf({ id, ofCard }: BookPlace, after: number): Promise<Entries> {
  const query = { after, limit: PAGE };
  if (ofCard) {
    const path = { card_id: id };
    return told(api.GET("/api/cards/{card_id}/entries", { params: { path, query } }));
  }
  const path = { book_id: id };
  return told(api.GET("/api/lorebooks/{book_id}/entries", { params: { path, query } }));
}

/** The address of a book. */
export function addressOf({ id, ofCard }: BookPlace): string {
  return `/library/lorebooks/${id}${ofCard ? "?of=card" : ""}`;
}
