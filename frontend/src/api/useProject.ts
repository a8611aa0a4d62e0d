/** A project in a component: its state, and its event stream, by which other tabs and devices are
 * followed. */
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, told } from "./client";
import { follow } from "./follow";
import { keys } from "./keys";
import type { Project, ProjectEventData } from "./types";

export function useProject(id: string) {
  return useQuery({
    queryKey: keys.project(id),
    queryFn: () =>
      told(api.GET("/api/projects/{project_id}", { params: { path: { project_id: id } } })),
  });
}

export interface ProjectEvent {
  kind: string;
  data: ProjectEventData;
}

/** Follow a project while the component is there: what an event makes stale is asked for again, and
 * `onEvent` hears each. Mount it once per screen. */
export function useProjectStream(id: string, onEvent?: (event: ProjectEvent) => void): void {
  const queries = useQueryClient();
  const listener = useRef(onEvent);
  listener.current = onEvent;
  useEffect(() => {
    const refresh = makeRefresh(queries, id);
    const stop = follow(`/api/projects/${id}/events`, {
      // What was read already holds all that happened before it.
      after: Math.max(seenOf(id), queries.getQueryData<Project>(keys.project(id))?.seq ?? 0),
      onEvent: (event, seq) => {
        remember(id, seq);
        // The server describes its payloads; see ProjectEventData.
        const data = JSON.parse(event.data) as ProjectEventData;
        refresh.of(event.event);
        if (data.turn != null) void queries.invalidateQueries({ queryKey: keys.turn(data.turn) });
        listener.current?.({ kind: event.event, data });
      },
    });
    return () => {
      stop();
      refresh.stop();
    };
  }, [id, queries]);
}

const STALE: Readonly<Record<string, (id: string) => readonly (readonly string[])[]>> = {
  ledger_changed: (id) => [keys.ledger(id)],
  plan_changed: (id) => [keys.plan(id)],
  amendments_changed: (id) => [keys.amendments(id)],
  images_changed: () => [], // the picture is asked for with its turn
};

/** Many events at once (a stream that is caught up with) are one refresh. */
function makeRefresh(queries: QueryClient, id: string) {
  const due = new Map<string, readonly string[]>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function run(): void {
    timer = undefined;
    const all = [...due.values()];
    due.clear();
    for (const queryKey of all) void queries.invalidateQueries({ queryKey });
  }

  return {
    of(kind: string): void {
      const stale = STALE[kind]?.(id) ?? [keys.project(id), keys.projects];
      for (const key of stale) due.set(key.join("/"), key);
      timer ??= setTimeout(run, 50);
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}

// ---- the last number seen, so that a reload does not begin at the beginning ----

function seenOf(id: string): number {
  const seen = Number(sessionStorage.getItem(`huaben.seen.${id}`) ?? "0");
  return Number.isSafeInteger(seen) && seen > 0 ? seen : 0;
}

function remember(id: string, seq: number): void {
  try {
    sessionStorage.setItem(`huaben.seen.${id}`, String(seq));
  } catch {
    // Without storage a reload reads the whole log again.
  }
}
