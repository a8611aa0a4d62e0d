/** The timeline of a book as the server keeps it; apart from its parts because comparing, restoring and
 * replacing ask for the same. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";

const AT_ONCE = 50;

export const checkpointsKey = (project: string) =>
  [...keys.project(project), "checkpoints"] as const;

function pageOf(project: string, limit: number, after?: string) {
  return told(
    api.GET("/api/projects/{project_id}/checkpoints", {
      params: { path: { project_id: project }, query: { limit, after, files: false } },
    }),
  );
}

export type Checkpoint = Awaited<ReturnType<typeof pageOf>>["items"][number];
export type Changed = Checkpoint["changed"];

/** The checkpoints, newest first, a page at a time. Asking makes one of what was edited elsewhere. */
export function useCheckpoints(project: string) {
  const found = useInfiniteQuery({
    queryKey: checkpointsKey(project),
    queryFn: ({ pageParam }) => pageOf(project, AT_ONCE, pageParam),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (last) => last.next ?? undefined,
    staleTime: 0,
  });
  return { ...found, items: found.data?.pages.flatMap((page) => page.items) ?? [] };
}

/** The state before the newest one: where a change that was just made leads back to. */
export async function stateBefore(project: string): Promise<string | null> {
  const page = await pageOf(project, 2);
  return page.items[1]?.id ?? null;
}
