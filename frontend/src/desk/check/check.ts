/** The continuity check as the desk asks for it and answers it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { paths } from "@/api/types";

type Told = paths["/api/projects/{project_id}/continuity"]["get"];
export type Check = Told["responses"][200]["content"]["application/json"];
export type Finding = Check["findings"][number];

const EVERY_MS = 2000;

export function useCheck(project: string) {
  return useQuery({
    queryKey: [...keys.project(project), "continuity"],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/continuity", {
          params: { path: { project_id: project } },
        }),
      ),
    refetchInterval: (query) => (query.state.data?.state === "running" ? EVERY_MS : false),
  });
}

/** Start a check of these chapters, or of what changed since the last one. */
export function useStart(project: string) {
  return useStep(project, (chapters: string[]) =>
    told(
      api.POST("/api/projects/{project_id}/continuity", {
        params: { path: { project_id: project } },
        body: { chapters },
      }),
    ),
  );
}

export function useSettle(project: string) {
  return useStep(project, ({ number, state }: Pick<Finding, "number" | "state">) =>
    told(
      api.POST("/api/projects/{project_id}/continuity/findings/{number}", {
        params: { path: { project_id: project, number } },
        body: { state },
      }),
    ),
  );
}

function useStep<T>(project: string, step: (wish: T) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: step,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.project(project) }),
  });
}
