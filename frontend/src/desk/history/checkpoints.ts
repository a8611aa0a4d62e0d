/** The timeline of a book as the server keeps it, and what its records say; apart from its parts because
 * comparing, restoring and replacing ask for the same. */
import { useInfiniteQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { paths } from "@/api/types";

type Page =
  paths["/api/projects/{project_id}/checkpoints"]["get"]["responses"][200]["content"]["application/json"];

export type Checkpoint = Page["items"][number];
export type Changed = Checkpoint["changed"];

const AT_ONCE = 50;

export const checkpointsKey = (project: string) =>
  [...keys.project(project), "checkpoints"] as const;

const atProject = (project: string) => ({ path: { project_id: project } });

/** The checkpoints, newest first, a page at a time. Asking makes one of what was edited elsewhere. */
export function useCheckpoints(project: string) {
  const found = useInfiniteQuery({
    queryKey: checkpointsKey(project),
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/projects/{project_id}/checkpoints", {
          params: { ...atProject(project), query: { limit: AT_ONCE, after: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (last) => last.next ?? undefined,
    staleTime: 0,
  });
  return { ...found, items: found.data?.pages.flatMap((page) => page.items) ?? [] };
}

/** The state before the newest one: where a change that was just made leads back to. */
export async function stateBefore(project: string): Promise<string | null> {
  const page = await told(
    api.GET("/api/projects/{project_id}/checkpoints", {
      params: { ...atProject(project), query: { limit: 2 } },
    }),
  );
  return page.items[1]?.id ?? null;
}

// ---- what a record says ----

/** One chapter in a change: `was` is the name that it had, `null` for a new one; `name` is `null` for one
 * that is gone. */
export interface Touched {
  kind: "added" | "modified" | "renamed" | "removed";
  was: string | null;
  name: string | null;
}

/** The chapters of a change in the order of their names. */
export function touched(changed: Changed): Touched[] {
  const all: Touched[] = [
    ...changed.added.map((name) => ({ kind: "added" as const, was: null, name })),
    ...changed.modified.map((name) => ({ kind: "modified" as const, was: name, name })),
    ...changed.renamed.map(([was, name]) => ({ kind: "renamed" as const, was, name })),
    ...changed.removed.map((was) => ({ kind: "removed" as const, was, name: null })),
  ];
  return all.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

export function nameOf(one: Touched): string {
  return one.name ?? one.was ?? "";
}

/** A chapter's file name without what every one ends in. */
export function shortOf(name: string): string {
  return name.replace(/\.md$/iu, "");
}

export type Maker = "model" | "you" | "elsewhere";

/** Who made a checkpoint: an edit that was found on the disk was made outside of the page. */
export function makerOf(one: Checkpoint): Maker {
  if (one.author === "agent") return "model";
  return one.cause === "found" ? "elsewhere" : "you";
}

/** The moment of a checkpoint, to the minute. */
export function momentOf(one: Checkpoint): string {
  const date = new Date(one.time);
  const thisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleString(i18next.language, {
    year: thisYear ? undefined : "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** What a checkpoint is called where there is one line for it. */
export function labelOf(one: Checkpoint): string {
  const words = one.name || one.message.split("\n")[0] || "";
  return [`${one.number}`, words.slice(0, 24), momentOf(one)].filter(Boolean).join(" · ");
}
