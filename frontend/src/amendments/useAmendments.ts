/** The lasting changes that a story's turns have asked for, and the reader's word on them; apart from showing
 * them. One request for the whole story, and none for one that has no such change: most have none. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { paths } from "@/api/types";

type All = paths["/api/projects/{project_id}/amendments"]["get"];
export type Amendment = All["responses"][200]["content"]["application/json"]["items"][number];
export type Verb = "accept" | "refuse" | "undo";

/** What can be said of an amendment in its state. */
export function verbsOf(state: Amendment["state"]): readonly Verb[] {
  switch (state) {
    case "proposed":
      return ["accept", "refuse"];
    case "applied":
      return ["undo"];
    case "refused":
    case "undone":
      return ["accept"];
    case "working":
    case "failed":
      return [];
  }
}

/** That of one turn; undefined while it is not known and where there is none. `changes` counts what befell
 * the story's: another number asks anew. */
export function useAmendment(
  project: string,
  changes: number,
  turn: string,
): Amendment | undefined {
  const found = useQuery({
    queryKey: [...keys.amendments(project), changes],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/amendments", {
          params: { path: { project_id: project } },
        }),
      ),
    enabled: changes > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY, // the story's stream tells of changes
  });
  return found.data?.items.find((one) => one.turn === turn);
}

export function useDecide(project: string, turn: string) {
  const queries = useQueryClient();
  const place = { params: { path: { project_id: project, turn_id: turn } } };
  return useMutation({
    mutationFn: (verb: Verb) => {
      switch (verb) {
        case "accept":
          return told(api.POST("/api/projects/{project_id}/amendments/{turn_id}/accept", place));
        case "refuse":
          return told(api.POST("/api/projects/{project_id}/amendments/{turn_id}/refuse", place));
        case "undo":
          return told(api.POST("/api/projects/{project_id}/amendments/{turn_id}/undo", place));
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.amendments(project) }),
  });
}
