/** Notes as the panel asks for them and changes them; apart because each part of the panel does one. */
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { paths } from "@/api/types";

type Shelf = paths["/api/projects/{project_id}/memory"]["get"];
export type Memory = Shelf["responses"][200]["content"]["application/json"];
export type Note = Memory["items"][number];
export type Proposal = Memory["proposed"][number];
export type Source = Note["source"];
type Changing = paths["/api/memory/{note_id}"]["patch"];
export type Wish = Changing["requestBody"]["content"]["application/json"];

export const SOURCES = ["diary", "tables", "store", "card"] as const satisfies readonly Source[];

export interface Look {
  turn: string | null;
  wanted: string;
  source: Source | null;
  removed: boolean;
}

const keyOf = (project: string) => [...keys.project(project), "memory"] as const;

export function useNotes(project: string, look: Look) {
  return useInfiniteQuery({
    queryKey: [...keyOf(project), look],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/projects/{project_id}/memory", {
          params: {
            path: { project_id: project },
            query: {
              at: look.turn,
              q: look.wanted,
              source: look.source,
              removed: look.removed,
              after: pageParam,
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (before) => before, // old content stays while the words change
  });
}

function useWriting<T>(project: string, write: (given: T) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(project) }),
  });
}

/** Another version of a note, against the one that is shown. `at` is the node that it is seen from. */
export function useChange(project: string, at: string, note: Note) {
  return useWriting(project, (wish: Wish) =>
    told(
      api.PATCH("/api/memory/{note_id}", {
        params: {
          path: { note_id: note.id },
          query: { at },
          header: { "If-Match": `"${note.version}"` },
        },
        body: wish,
      }),
    ),
  );
}

export function useAnswer(project: string, at: string, proposal: Proposal) {
  return useWriting(project, (agree: boolean) =>
    told(
      api.POST("/api/memory/{note_id}/proposed", {
        params: {
          path: { note_id: proposal.note },
          query: { at },
          header: { "If-Match": `"${proposal.version}"` },
        },
        body: { agree },
      }),
    ),
  );
}

export function useAdd(project: string) {
  return useWriting(project, (body: { title: string; text: string }) =>
    told(
      api.POST("/api/projects/{project_id}/memory", {
        params: { path: { project_id: project } },
        body,
      }),
    ),
  );
}
