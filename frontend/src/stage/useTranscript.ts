/** The transcript of a project in a component: its end is read again whenever the project moves, older
 * pages are read as the reader goes up. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import type { PathPage } from "@/api/types";
import { joined, preceded, retold, type Transcript } from "./transcript";

const PAGE = 50;
const AT_ONCE = 200;

export function useTranscript(project: string) {
  const queries = useQueryClient();
  const queryKey = keys.path(project);
  const reading = useRef(false);
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      const page = await pageOf(project, undefined, PAGE);
      const before = queries.getQueryData<Transcript>(queryKey);
      const now = joined(before, page);
      const behind = now.items.length > page.items.length;
      return behind && retold(before, now) ? await again(project, now, page) : now;
    },
  });

  /** Read one page more towards the beginning. */
  const readOlder = useCallback(
    async (limit = PAGE): Promise<void> => {
      const before = queries.getQueryData<Transcript>(keys.path(project));
      if (reading.current || before?.older == null) return;
      reading.current = true;
      try {
        const page = await pageOf(project, before.older, limit);
        queries.setQueryData<Transcript>(keys.path(project), (now) =>
          now === undefined ? now : preceded(now, page),
        );
      } catch (error) {
        // The head stands on another branch by now; its event has the end read again.
        if (asRefusal(error).code !== "not_on_branch") throw error;
      } finally {
        reading.current = false;
      }
    },
    [project, queries],
  );
  return { ...query, readOlder };
}

/** All that was read, once more, because texts in the middle may read differently. */
async function again(project: string, now: Transcript, end: PathPage): Promise<Transcript> {
  let made: Transcript = { head: end.head, items: end.items, older: end.next };
  while (made.older !== null && made.items.length < now.items.length) {
    made = preceded(made, await pageOf(project, made.older, AT_ONCE));
  }
  return made;
}

function pageOf(project: string, before: string | undefined, limit: number): Promise<PathPage> {
  return told(
    api.GET("/api/projects/{project_id}/turns", {
      params: { path: { project_id: project }, query: { limit, before } },
    }),
  );
}
