/** Writing a book: each change is a version with an id of its own, under which the page goes on. Whatever was
 * changed can be taken back by one button. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import i18next from "i18next";
import { useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { moveDrafts } from "@/ui/formdrafts";
import { toast } from "@/ui/toasts";
import type { EntriesWritten, WholeWish } from "./types";
import { addressOf, type BookPlace } from "./useEntries";

/** In the address in the place of an entry's number. */
export const NEW = "new";

export interface BookSeen {
  place: BookPlace;
  revision: number;
}

interface Wish {
  edit: EntriesWritten;
  /** What the toast says of it. */
  says: string;
}

export function useWriteBook(seen: BookSeen, onKept?: () => void) {
  const shows = useShows(seen);
  return useMutation({
    mutationFn: ({ edit }: Wish) => {
      const from = newest(seen);
      return followed(from.place.id, write(from, edit));
    },
    onSuccess: (now, { says }) => {
      onKept?.();
      shows(now.id);
      offerUndo(says, async () => shows((await putBack(seen.place, now)).id));
    },
  });
}

/** Move entries to another book of the library; both are as before when it is undone. */
export function useMoveEntries(seen: BookSeen, onMoved: () => void) {
  const shows = useShows(seen);
  return useMutation({
    mutationFn: async ({ to, uids }: { to: string; uids: number[] }) => {
      const target = await bookAt(to);
      const from = newest(seen);
      const moved = await told(
        api.POST("/api/lorebooks/{book_id}/move", {
          params: { path: { book_id: from.place.id } },
          body: { revision: from.revision, uids, to, to_revision: target.revision },
        }),
      );
      made.set(from.place.id, moved.source);
      return { ...moved, to, count: uids.length };
    },
    onSuccess: ({ source, target, to, count }) => {
      onMoved();
      shows(source.id);
      offerUndo(i18next.t("lorebooks.moved", { count, name: target.name }), async () => {
        await putBack({ id: to, ofCard: false }, target);
        shows((await putBack(seen.place, source)).id);
      });
    },
  });
}

/** Take up a former version: its content written again is the newest. */
export function useRestoreBook(seen: BookSeen) {
  const shows = useShows(seen);
  return useMutation({
    mutationFn: (id: string) => putBack({ id, ofCard: false }, at(newest(seen))),
    onSuccess: ({ id }) => shows(id),
  });
}

function at({ place, revision }: BookSeen): Version {
  return { id: place.id, revision };
}

function useShows({ place }: BookSeen) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  return (id: string) => {
    moveDrafts(`entry.${place.id}.`, `entry.${id}.`);
    void queries.invalidateQueries({ queryKey: keys.lorebooks });
    if (place.ofCard) void queries.invalidateQueries({ queryKey: keys.cards });
    const params = new URLSearchParams(location.search);
    if (params.get("entry") === NEW) params.delete("entry"); // it has a number now
    const address = addressOf({ ...place, id }).split("?")[0] ?? "";
    // What is open beside the list stays open.
    if (location.pathname.startsWith("/library/lorebooks/")) {
      go(params.size === 0 ? address : `${address}?${params}`, { replace: true });
    }
  };
}

function offerUndo(text: string, undo: () => Promise<void>) {
  toast({ text, action: { label: i18next.t("common.undo"), run: () => void undo() } });
}

interface Version {
  id: string;
  revision: number;
}

/** What this page itself has made of a version, by its id. */
const made = new Map<string, Version>();

async function followed<T extends Version>(former: string, writing: Promise<T>): Promise<T> {
  const now = await writing;
  made.delete(now.id); // the newest, also where it is a former one again
  if (now.id !== former) made.set(former, now);
  return now;
}

/** The version that the reader means: who is quicker than the page is read again goes on from what was kept
 * last. What others changed is not in it, and is refused as ever. */
function newest(seen: BookSeen): BookSeen {
  const now = made.get(seen.place.id);
  if (now === undefined) return seen;
  return newest({ place: { ...seen.place, id: now.id }, revision: now.revision });
}

function write({ place, revision }: BookSeen, edit: EntriesWritten) {
  const wish = edit as WholeWish; // the server has a default for every field that is not named
  if (place.ofCard) {
    return told(
      api.PUT("/api/cards/{card_id}/entries", {
        params: { path: { card_id: place.id } },
        body: { ...wish, revision },
      }),
    );
  }
  return told(
    api.PUT("/api/lorebooks/{book_id}", {
      params: { path: { book_id: place.id } },
      body: { ...wish, revision },
    }),
  );
}

/** Write the content of a former version in the place of the present one. */
function putBack(former: BookPlace, now: Version): Promise<Version> {
  return followed(now.id, putInPlace(former, now));
}

async function putInPlace(former: BookPlace, now: Version): Promise<Version> {
  if (former.ofCard) {
    const before = await told(
      api.GET("/api/cards/{card_id}", { params: { path: { card_id: former.id } } }),
    );
    return told(
      api.PUT("/api/cards/{card_id}", {
        params: { path: { card_id: now.id } },
        body: { revision: now.revision, content: before.content },
      }),
    );
  }
  const { content } = await bookAt(former.id);
  return told(
    api.PUT("/api/lorebooks/{book_id}", {
      params: { path: { book_id: now.id } },
      body: { revision: now.revision, content },
    }),
  );
}

function bookAt(id: string) {
  return told(api.GET("/api/lorebooks/{book_id}", { params: { path: { book_id: id } } }));
}
