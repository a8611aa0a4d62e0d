/** How two texts of the story differ, by words, as the server finds it. */
import { useQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { useStage } from "./stage";

/** `null` asks nothing. The references are those of the API. */
export function useDiff(from: string | null, to: string) {
  const { project } = useStage();
  return useQuery({
    queryKey: [...keys.project(project.id), "diff", from, to],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/diff", {
          params: { path: { project_id: project.id }, query: { from: from ?? "", to } },
        }),
      ),
    enabled: from !== null,
    staleTime: 60_000,
  });
}
