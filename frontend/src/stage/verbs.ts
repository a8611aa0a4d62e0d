/** What can be done to a story, each as one request after which the story is read again; apart from the
 * buttons, because keys, menus and toasts do the same things. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { HeadMoved, Project } from "@/api/types";
import { acknowledged, giveBack, requestFor } from "@/ui/draft";
import { toast } from "@/ui/toasts";
import { useStage } from "./stage";
import { variantAsked } from "./useFellBack";

/** Run a verb and read the story again; the error stays with the button that ran it. */
export function useVerb<A = void, T = unknown>(run: (given: A) => Promise<T>) {
  const queries = useQueryClient();
  const { project } = useStage();
  return useMutation({
    mutationFn: run,
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.project(project.id) }),
    // Not waited for: without a server it would be long, and the error is to be shown now.
    onError: () => void queries.invalidateQueries({ queryKey: keys.project(project.id) }),
  });
}

/** What the reader sees as the end of the story: where new words go. */
export function endOf(project: Project): string {
  return project.queued.at(-1) ?? project.head;
}

/** Say words: they are the server's once this is over. `parent` is what was seen as the story's end. */
export function useSay() {
  const { project, setSent } = useStage();
  return useVerb(async ({ text, parent }: { text: string; parent: string }) => {
    const request_id = requestFor(project.id, text);
    const begun = await told(
      api.POST("/api/projects/{project_id}/turns", {
        params: { path: { project_id: project.id } },
        body: { text, parent, request_id },
      }),
    );
    acknowledged(project.id, text);
    setSent(begun.id);
    return begun;
  });
}

const at = (turn_id: string) => ({ params: { path: { turn_id } } });

export const stop = (turn: string) => told(api.POST("/api/turns/{turn_id}/stop", at(turn)));
export const resume = (turn: string) => told(api.POST("/api/turns/{turn_id}/resume", at(turn)));
export const seal = (turn: string, with_tail = true) =>
  told(api.POST("/api/turns/{turn_id}/seal", { ...at(turn), body: { with_tail } }));

/** Another telling; with words it is edit and resend. */
export function useVariant() {
  const { project, setSent } = useStage();
  return useVerb(async ({ turn, text }: { turn: string; text?: string }) => {
    const body = text === undefined ? {} : { text };
    const begun = await told(api.POST("/api/turns/{turn_id}/variants", { ...at(turn), body }));
    variantAsked(begun.id, project.seq);
    setSent(begun.id);
    return begun;
  });
}

export function useDiscard() {
  const { project, setSent } = useStage();
  return useVerb(async (turn: string) => {
    const done = await told(api.POST("/api/turns/{turn_id}/discard", at(turn)));
    setSent(null);
    giveBack(project.id, done.user_text);
  });
}

/** Moves of the head: each offers the way back. */
export function useMoves() {
  const { project, rows, setSent } = useStage();
  const { t } = useTranslation();
  const path = { params: { path: { project_id: project.id } } };
  const number = rows.at(-1)?.number ?? 0;

  const redo = useVerb(() =>
    told(api.POST("/api/projects/{project_id}/redo", { ...path, body: { force: false } })),
  );
  const redoAction = { label: t("common.redo"), run: () => redo.mutate() };

  const undo = useVerb(async () => {
    const done = await told(
      api.POST("/api/projects/{project_id}/undo", { ...path, body: { force: false } }),
    );
    giveBack(project.id, done.text);
    setSent(null);
    const text = done.text === "" ? t("stage.editUndone") : t("stage.undone", { n: number });
    toast({ text, action: redoAction });
  });

  const move = (turn: string): Promise<HeadMoved> =>
    told(api.POST("/api/projects/{project_id}/head", { ...path, body: { turn, force: false } }));

  /** Stand at another node; what came after is kept and the toast leads back. */
  const goTo = useVerb(async ({ turn, text }: { turn: string; text: string }) => {
    const before = project.head;
    await move(turn);
    toast({ text, action: { label: t("stage.goBack"), run: () => back.mutate(before) } });
  });
  const back = useVerb((turn: string) => move(turn));
  const remove = useVerb((turn: string) => told(api.DELETE("/api/turns/{turn_id}", at(turn))));
  const greet = useVerb((index: number) =>
    told(api.POST("/api/projects/{project_id}/greeting", { ...path, body: { index } })),
  );
  return { undo, redo, goTo, back, remove, greet };
}
