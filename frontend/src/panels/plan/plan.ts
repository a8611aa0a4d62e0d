/** The plan as the panel asks for it and changes it; apart because each part of the panel does one. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { paths } from "@/api/types";

type Base = paths["/api/projects/{project_id}/plan"];
type RevisionPage = paths["/api/projects/{project_id}/plan/revisions"]["get"];
type JobPage = paths["/api/projects/{project_id}/plan/jobs"]["get"];
export type Plan = Base["get"]["responses"][200]["content"]["application/json"];
export type PlanNote = Plan["notes"][number];
export type PlanRevision =
  RevisionPage["responses"][200]["content"]["application/json"]["items"][number];
export type PlanJob = JobPage["responses"][200]["content"]["application/json"]["items"][number];
export type PlanNode = PlanJob["nodes"][number];
type Changed = Base["patch"]["requestBody"]["content"]["application/json"];
export type PlanChange = Partial<Omit<Changed, "revision">>;

const EVERY_MS = 2000;
const pathOf = (project: string) => ({ project_id: project });

export function usePlan(project: string, turn: string | null) {
  return useQuery({
    queryKey: [...keys.plan(project), "at", turn],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/plan", {
          params: { path: pathOf(project), query: { at: turn } },
        }),
      ),
    refetchInterval: (query) => ((query.state.data?.planning.length ?? 0) > 0 ? EVERY_MS : false),
  });
}

function useWriting<T>(project: string, write: (given: T) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.plan(project) }),
  });
}

/** A revision by the user against the one that is shown. */
export function useChangePlan(project: string, revision: number) {
  return useWriting(project, (change: PlanChange) =>
    told(
      api.PATCH("/api/projects/{project_id}/plan", {
        params: { path: pathOf(project) },
        body: { notes: [], ...change, revision },
      }),
    ),
  );
}

export function useSwitch(project: string) {
  return useWriting(project, (enabled: boolean) =>
    told(
      api.PUT("/api/projects/{project_id}/plan/enabled", {
        params: { path: pathOf(project) },
        body: { enabled },
      }),
    ),
  );
}

/** Plan for a turn once more. */
export function useRerun(project: string) {
  return useWriting(project, (turn: string) =>
    told(
      api.POST("/api/projects/{project_id}/plan/jobs", {
        params: { path: pathOf(project) },
        body: { turn },
      }),
    ),
  );
}

export function useCancel(project: string) {
  return useWriting(project, (number: number) =>
    told(
      api.POST("/api/projects/{project_id}/plan/jobs/{number}/cancel", {
        params: { path: { ...pathOf(project), number } },
      }),
    ),
  );
}

export function useRevisions(project: string) {
  return useInfiniteQuery({
    queryKey: [...keys.plan(project), "revisions"],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/projects/{project_id}/plan/revisions", {
          params: { path: pathOf(project), query: { before: pageParam, limit: 20 } },
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
}

export function useJobs(project: string) {
  return useInfiniteQuery({
    queryKey: [...keys.plan(project), "jobs"],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/projects/{project_id}/plan/jobs", {
          params: { path: pathOf(project), query: { before: pageParam, limit: 20 } },
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: (query) => {
      const busy = query.state.data?.pages.some((page) =>
        page.items.some((job) => job.state !== "over"),
      );
      return busy ? EVERY_MS : false;
    },
  });
}
