/** The ledger as the panels ask for it and write to it; apart because World and Roster share it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { paths } from "@/api/types";
import { useProject } from "@/api/useProject";
import type { Patch } from "./places";

type Base = paths["/api/projects/{project_id}/ledger"];
type History = paths["/api/projects/{project_id}/ledger/history"];
export type Ledger = Base["get"]["responses"][200]["content"]["application/json"];
export type Version =
  History["get"]["responses"][200]["content"]["application/json"]["items"][number];
export type Change = Version["changes"][number];

export function useLedger(project: string, turn: string | null) {
  return useQuery({
    queryKey: [...keys.ledger(project), "at", turn],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/ledger", {
          params: { path: { project_id: project }, query: { at: turn } },
        }),
      ),
  });
}

/** Whether what is shown stands at the head: only there it can be edited. */
export function useAtHead(project: string, turn: string | null): boolean {
  const { data } = useProject(project);
  return turn === null || data?.head === turn;
}

export interface Book {
  project: string;
  ledger: Ledger;
  /** Only looked at: not the head. */
  fixed: boolean;
  edit: (patch: Patch, locked?: string[]) => Promise<Ledger>;
  /** Places whose words stand no more in the manuscript. */
  doubted: ReadonlySet<string>;
  /** Only these are shown. */
  only: boolean;
}

export const BookContext = createContext<Book | null>(null);

export function useBook(): Book {
  const book = useContext(BookContext);
  if (book === null) throw new Error("There is no ledger around this.");
  return book;
}

/** Write a version by the user against the revision that is shown. */
export function useEdit(project: string, revision: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ patch, locked }: { patch: Patch; locked?: string[] | undefined }) =>
      told(
        api.PATCH("/api/projects/{project_id}/ledger", {
          params: { path: { project_id: project } },
          body: { revision, patch, ...(locked === undefined ? {} : { locked }) },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.ledger(project) }),
  });
}
