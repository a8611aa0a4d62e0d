/** Which chapters differ between two states, as the server finds it. */
import { useQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";

export function useComparison(project: string, from: string | null, to: string | null) {
  const path = { project_id: project, checkpoint_id: from ?? "", other_id: to ?? "" };
  return useQuery({
    queryKey: [...keys.project(project), "compare", from, to],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/checkpoints/{checkpoint_id}/compare/{other_id}", {
          params: { path },
        }),
      ),
    enabled: from !== null && to !== null,
    staleTime: Number.POSITIVE_INFINITY, // a checkpoint does not change
  });
}
