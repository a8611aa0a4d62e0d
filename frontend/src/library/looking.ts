/** What is looked for on the shelf: it stands in the address, so that Back and reload keep it; words are
 * asked for once typing rests. */
import { useDebouncedValue } from "@mantine/hooks";
import { useCallback, useMemo, useState } from "react";
import { useSearch } from "wouter";
import { navigate } from "wouter/use-browser-location";

export interface Looking {
  q: string;
  tag: string;
  favourite: boolean;
  sort: "newest" | "name";
}

const REST_MS = 150;

export function useLooking() {
  const params = new URLSearchParams(useSearch());
  const [q, setWords] = useState(params.get("q") ?? "");
  const [words] = useDebouncedValue(q, REST_MS);
  const tag = params.get("tag") ?? "";
  const favourite = params.get("favourite") === "true";
  const sort = params.get("sort") === "name" ? "name" : "newest";
  const looking: Looking = { q, tag, favourite, sort };
  const asked = useMemo<Looking>(
    () => ({ q: words.trim().slice(0, 200), tag, favourite, sort }),
    [words, tag, favourite, sort],
  );
  const change = useCallback((next: Partial<Looking>) => {
    if (next.q !== undefined) setWords(next.q);
    write(next);
  }, []);
  const clear = useCallback(() => {
    setWords("");
    write({ q: "", tag: "", favourite: false });
  }, []);
  return { looking, asked, change, clear };
}

function write(next: Partial<Looking>): void {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(next)) {
    if (value === "" || value === false || value === "newest") params.delete(name);
    else params.set(name, String(value));
  }
  const search = params.toString();
  const address = search === "" ? location.pathname : `${location.pathname}?${search}`;
  navigate(address, { replace: true, state: history.state });
}
