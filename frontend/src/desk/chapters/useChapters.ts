/** The chapters of a book: asked for again when the book changes, and now and then, because the files may be
 * edited with any editor. */
import { useQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { paths } from "@/api/types";

type Listed =
  paths["/api/projects/{project_id}/chapters"]["get"]["responses"][200]["content"]["application/json"];

export type ChapterList = Listed;
export type ChapterItem = Listed["items"][number];

/** How often the folder is looked at while the page is seen. */
const LOOK_MS = 10_000;

export const chaptersKey = (project: string) => [...keys.project(project), "chapters"] as const;

export function useChapters(project: string) {
  return useQuery({
    queryKey: chaptersKey(project),
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/chapters", {
          params: { path: { project_id: project } },
        }),
      ),
    refetchInterval: LOOK_MS,
    refetchOnWindowFocus: "always",
    staleTime: 0,
  });
}
