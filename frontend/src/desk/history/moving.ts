/** Going back and forth in a book, each as one request after which it is read again; apart because the
 * timeline, the dialog and toasts do the same things. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { giveBack } from "@/ui/draft";
import { toast } from "@/ui/toasts";
import { stateBefore } from "./checkpoints";

/** Run a verb on a book and read the book again. */
export function useBookVerb<A = void, T = unknown>(project: string, run: (given: A) => Promise<T>) {
  const queries = useQueryClient();
  const again = () => queries.invalidateQueries({ queryKey: keys.project(project) });
  return useMutation({ mutationFn: run, onSuccess: again, onError: () => void again() });
}

const at = (project: string) => ({ params: { path: { project_id: project } } });

/** Make the chapters what they were; the discussion stays. */
function restoreFiles(project: string, checkpoint: string) {
  return told(
    api.POST("/api/projects/{project_id}/checkpoints/{checkpoint_id}/restore", {
      params: { path: { project_id: project, checkpoint_id: checkpoint } },
      body: { scope: "files", force: false },
    }),
  );
}

/** The way back from a change that was just made, as a toast has it. */
export function useTakeBack(project: string) {
  const { t } = useTranslation();
  const back = useBookVerb(project, (checkpoint: string) => restoreFiles(project, checkpoint));
  return async (text: string): Promise<void> => {
    const before = await stateBefore(project);
    if (before === null) toast({ text });
    else toast({ text, action: { label: t("common.undo"), run: () => back.mutate(before) } });
  };
}

export function useRestore(project: string) {
  const { t } = useTranslation();
  const takeBack = useTakeBack(project);
  return useBookVerb(project, async (checkpoint: string) => {
    await restoreFiles(project, checkpoint);
    await takeBack(t("manuscript.restored"));
  });
}

/** Take the turn of a checkpoint back, and all that follows: files, discussion, ledger. `force`: also over
 * chapters that were edited since. */
export function useUndoTurn(project: string) {
  const undone = useUndone(project);
  return useBookVerb(project, async (given: { checkpoint: string; force: boolean }) => {
    const done = await told(
      api.POST("/api/projects/{project_id}/checkpoints/{checkpoint_id}/restore", {
        params: { path: { project_id: project, checkpoint_id: given.checkpoint } },
        body: { scope: "turn", force: given.force },
      }),
    );
    undone(done.text);
  });
}

/** The last turn. */
export function useUndo(project: string) {
  const undone = useUndone(project);
  return useBookVerb(project, async (force: boolean) => {
    const body = { force };
    const done = await told(api.POST("/api/projects/{project_id}/undo", { ...at(project), body }));
    undone(done.text);
  });
}

export function useRedo(project: string) {
  return useBookVerb(project, async (force: boolean) => {
    const body = { force };
    await told(api.POST("/api/projects/{project_id}/redo", { ...at(project), body }));
  });
}

/** The words are in the box again, and the toast leads forward. */
function useUndone(project: string) {
  const { t } = useTranslation();
  const redo = useRedo(project);
  return (words: string): void => {
    giveBack(project, words);
    const action = { label: t("common.redo"), run: () => redo.mutate(false) };
    toast({ text: t("manuscript.undone"), action });
  };
}
