/** The turn whose changes are looked at: the one of the address, or else the latest. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type LiveTurn, useFollowed, usePicked } from "@/api/liveturn";
import type { Project } from "@/api/types";
import { useParam } from "@/app/param";
import { chaptersKey } from "./chapters/useChapters";
import type { Desk } from "./desk";
import { filesOf } from "./review/made";

export function useReviewed(project: Project, live: LiveTurn | null): Desk["reviewed"] {
  const [named] = useParam("review");
  const other = useFollowed(named !== null && named !== live?.id ? named : null, false);
  const one = other ?? live;
  const tools = usePicked(one, (view) => view.tools);
  const turn = one?.id ?? null;
  // Tools are compared by what they did: each event of a turn makes a new view.
  const told = JSON.stringify(filesOf({ tools }));
  useLanded(project.id, live);
  return useMemo(
    () => ({ turn, files: JSON.parse(told), running: turn !== null && project.active === turn }),
    [turn, told, project.active],
  );
}

/** Chapters are looked at again with each edit that lands. */
function useLanded(project: string, live: LiveTurn | null): void {
  const queries = useQueryClient();
  const landed = usePicked(
    live,
    (view) => view.tools.filter((tool) => tool.effect?.files !== undefined).length,
  );
  useEffect(() => {
    if (landed > 0) void queries.invalidateQueries({ queryKey: chaptersKey(project) });
  }, [landed, project, queries]);
}
