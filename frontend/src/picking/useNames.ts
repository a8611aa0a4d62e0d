/** The names that a box offers: the newest, or those that have the words that are looked for. What the server
 * has beyond one page is never silently left out: `more` says so, and words find it. */
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";

/** `stories` are the projects that are played. */
export type Kind = "cards" | "lorebooks" | "personas" | "projects" | "stories";

export interface Name {
  id: string;
  name: string;
}

interface Page {
  names: Name[];
  more: boolean;
}

const KEYS: Readonly<Record<Kind, readonly string[]>> = { ...keys, stories: keys.projects };
const PAGE = 100;
const REST_MS = 150;
const MAX_WORDS = 200;

export interface Names extends Page {
  words: string;
  look: (words: string) => void;
  /** Whether there is anything at all to choose from. */
  any: boolean;
}

export function useNames(kind: Kind): Names {
  const [words, look] = useState("");
  const [rested] = useDebouncedValue(words, REST_MS);
  const q = rested.trim().slice(0, MAX_WORDS);
  const found = useQuery({
    queryKey: [...KEYS[kind], "named", kind, q],
    queryFn: () => LIST[kind](q),
    placeholderData: (before) => before,
  });
  const { names, more } = found.data ?? { names: [], more: false };
  return { names, more, words, look, any: names.length > 0 || words !== "" };
}

const LIST: Readonly<Record<Kind, (q: string) => Promise<Page>>> = {
  cards: async (q) => whole(await told(api.GET("/api/cards", asked(q)))),
  lorebooks: async (q) => whole(await told(api.GET("/api/lorebooks", asked(q)))),
  personas: async (q) => whole(await told(api.GET("/api/personas", asked(q)))),
  projects: (q) => titled(q, () => true),
  stories: (q) => titled(q, (mode) => mode === "roleplay"),
};

async function titled(q: string, fits: (mode: string) => boolean): Promise<Page> {
  const { items, next } = await told(api.GET("/api/projects", asked(q)));
  const chosen = items.filter((one) => fits(one.mode));
  return { names: chosen.map(({ id, title }) => ({ id, name: title })), more: next !== null };
}

function asked(q: string) {
  return { params: { query: { limit: PAGE, q } } };
}

/** Without what is broken, which cannot be chosen. */
function whole(page: { items: (Name & { broken: string | null })[]; next: string | null }): Page {
  const names = page.items.filter((one) => one.broken === null);
  return { names: names.map(({ id, name }) => ({ id, name })), more: page.next !== null };
}
