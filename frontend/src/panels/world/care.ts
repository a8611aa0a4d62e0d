/** What is to be checked after an edit of a manuscript, as the panels ask for it and answer it; apart from the
 * ledger, because a story that is played has none of it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { paths } from "@/api/types";
import { useProject } from "@/api/useProject";

type Told = paths["/api/projects/{project_id}/care"]["get"];
export type Care = Told["responses"][200]["content"]["application/json"];
export type Doubt = Care["facts"][number];

const EVERY_MS = 3000;

const careKey = (project: string) => [...keys.project(project), "care"] as const;

/** Of a project that is no manuscript nothing is asked. */
export function useCare(project: string) {
  const { data } = useProject(project);
  return useQuery({
    queryKey: careKey(project),
    enabled: data?.mode === "writing",
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/care", { params: { path: { project_id: project } } }),
      ),
    refetchInterval: (query) => (query.state.data?.reading === true ? EVERY_MS : false),
  });
}

/** Say that facts and notes hold, whatever the chapters say. */
export function useHold(project: string) {
  return useStep(project, (held: { facts?: string[]; notes?: string[] }) =>
    told(
      api.POST("/api/projects/{project_id}/care/hold", {
        params: { path: { project_id: project } },
        body: { facts: held.facts ?? [], notes: held.notes ?? [] },
      }),
    ),
  );
}

/** Let the scribe read what the ledger lacks. */
export function useReadNow(project: string) {
  return useStep(project, () =>
    told(
      api.POST("/api/projects/{project_id}/care", {
        params: { path: { project_id: project } },
        body: { chapters: [] },
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
