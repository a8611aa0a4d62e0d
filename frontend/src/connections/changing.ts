/** What changing a connection sends: everything that was told of it, since what is left out would go
 * back to its default; and the questions of a test. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { Connection, ConnectionChange } from "@/api/types";

export const ROLES = ["story", "control", "scribe", "planner", "escalation", "image"] as const;
export type Role = (typeof ROLES)[number];

/** The whole connection as the server takes it, with the change in it. */
export function changed(one: Connection, change: Partial<ConnectionChange>): ConnectionChange {
  const same = change.model === undefined || change.model === one.model;
  return {
    base_url: one.base_url,
    model: one.model,
    kind: one.kind as ConnectionChange["kind"], // told as it was taken
    tools: one.tools as ConnectionChange["tools"],
    // A window belongs to its model.
    window: same ? one.window : null,
    roles: one.roles as Role[],
    sampling: one.sampling as ConnectionChange["sampling"],
    accepts: one.accepts as ConnectionChange["accepts"],
    revision: one.revision,
    ...change,
  };
}

export function useChange(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ConnectionChange) =>
      told(api.PUT("/api/connections/{name}", { params: { path: { name } }, body })),
    onSettled: () => refresh(queries),
  });
}

export function useTest(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      told(api.POST("/api/connections/{name}/test", { params: { path: { name } } })),
    onSettled: () => refresh(queries),
  });
}

export function useForget(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (revision: number) =>
      told(
        api.DELETE("/api/connections/{name}", { params: { path: { name }, query: { revision } } }),
      ),
    onSettled: () => refresh(queries),
  });
}

export function refresh(queries: ReturnType<typeof useQueryClient>): Promise<unknown> {
  return Promise.all([
    queries.invalidateQueries({ queryKey: keys.connections }),
    queries.invalidateQueries({ queryKey: keys.ready }),
  ]);
}
