/** An import as the server tells of it, asked again while it goes on. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, told } from "@/api/client";
import type { ImportItem, ImportShown } from "../types";

const AGAIN_MS = 700;
const PAGES = 10;
const PAGE = 200;

export function useImport(id: string) {
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ["imports", id],
    queryFn: () => told(api.GET("/api/imports/{import_id}", at(id, null, 1))),
    refetchInterval: (query) => (isOver(query.state.data) ? false : AGAIN_MS),
  });
  const done = found.data?.done ?? 0;
  const over = isOver(found.data);
  // What came in is on the shelves as it comes.
  useEffect(() => {
    if (done > 0 || over) {
      for (const kind of ["cards", "lorebooks", "personas", "presets", "scripts", "projects"]) {
        void queries.invalidateQueries({ queryKey: [kind] });
      }
    }
  }, [done, over, queries]);
  return found;
}

export function isOver(shown: ImportShown | undefined): boolean {
  return shown?.state === "done" || shown?.state === "failed";
}

/** What became of each file, refused ones first, of the first two thousand. */
export async function itemsOf(id: string): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const told: ImportShown = await pageOf(id, after);
    items.push(...told.items);
    after = told.next;
    if (after === null) break;
  }
  const rank = { refused: 0, imported: 1, already: 2 };
  return items.sort((a, b) => rank[a.fate] - rank[b.fate] || a.n - b.n);
}

function pageOf(id: string, after: string | null): Promise<ImportShown> {
  return told(api.GET("/api/imports/{import_id}", at(id, after, PAGE)));
}

function at(id: string, after: string | null, limit: number) {
  return { params: { path: { import_id: id }, query: { after, limit } } };
}
