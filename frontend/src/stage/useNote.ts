/** The author's note of the story; apart from its form because the chip shows that there is one. */
import { useQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { useStage } from "./stage";

export function useNote() {
  const { project } = useStage();
  return useQuery({
    queryKey: [...keys.project(project.id), "note"],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/note", {
          params: { path: { project_id: project.id } },
        }),
      ),
  });
}
