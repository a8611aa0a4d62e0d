/** A list of the library, a page at a time, and the words that are looked for in its names on the server. */
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";

export interface Listed<T> {
  items: T[];
  next: string | null;
}

export interface Asked {
  limit: number;
  q: string;
  after?: string | undefined;
}

const PAGE = 100;
const REST_MS = 150;
const MAX_WORDS = 200;

export function useShelf<T>(key: string, load: (query: Asked) => Promise<Listed<T>>) {
  const [words, look] = useState("");
  const [rested] = useDebouncedValue(words, REST_MS);
  const q = rested.trim().slice(0, MAX_WORDS);
  const list = useInfiniteQuery({
    queryKey: [key, "list", q],
    queryFn: ({ pageParam }) => load({ limit: PAGE, q, after: pageParam }),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: (before) => before,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return { list, items, words, look };
}

export type Shelf<T> = ReturnType<typeof useShelf<T>>;
