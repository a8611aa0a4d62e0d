/** A move as the server tells of it, asked again while it goes on, and all its files once it is over. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, told } from "@/api/client";
import { isOver, type MoveItem, type MoveShown } from "./types";

const AGAIN_MS = 700;
const PAGE = 200;
const PAGES = 25;
/** Files that a report shows; a larger installation has its rest told by the command line. */
export const MOST = PAGE * PAGES;

export const moves = ["moves"] as const;

export function useMove(id: string) {
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: [...moves, id],
    queryFn: () => pageOf(id, null, 1),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.state) ? false : AGAIN_MS),
  });
  const over = found.data !== undefined && isOver(found.data.state);
  useEffect(() => {
    if (!over) return;
    // Whatever was shown of the library before is behind it now.
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== moves[0] });
    void queries.invalidateQueries({ queryKey: moves, exact: true });
  }, [over, queries]);
  return found;
}

export function useMoved(id: string) {
  return useQuery({
    queryKey: [...moves, id, "items"],
    queryFn: () => itemsOf(id),
    staleTime: Number.POSITIVE_INFINITY, // what is over does not change
  });
}

async function itemsOf(id: string): Promise<MoveItem[]> {
  const items: MoveItem[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const shown: MoveShown = await pageOf(id, after, PAGE);
    items.push(...shown.items);
    after = shown.next;
    if (after === null) break;
  }
  return items;
}

function pageOf(id: string, after: string | null, limit: number): Promise<MoveShown> {
  const at = { params: { path: { move_id: id }, query: { after, limit } } };
  return told(api.GET("/api/moves/{move_id}", at));
}
