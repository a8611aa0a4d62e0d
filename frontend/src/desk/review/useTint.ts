/** The tint of one chapter: asked for while it is wanted, set once the editor has the text that it is of. */
import type { EditorView } from "@codemirror/view";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { OpenChapter } from "../editor/openchapter";
import { carried, setTint } from "./tint";

export function useTint(chapter: OpenChapter, view: EditorView | null, wanted: boolean): void {
  const hash = chapter.hash.use();
  const { project } = chapter.files;
  const hands = useQuery({
    queryKey: [...keys.project(project), "hands", chapter.name, hash],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/chapters/{name}/hands", {
          params: { path: { project_id: project, name: chapter.name } },
        }),
      ),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const known = hands.data;
  useEffect(() => {
    if (view === null) return;
    if (!wanted) view.dispatch({ effects: setTint.of([]) });
    else if (known !== undefined && known.hash === hash)
      view.dispatch({ effects: setTint.of(carried(known.stretches, chapter.unsaved)) });
  }, [view, wanted, known, hash, chapter]);
}
