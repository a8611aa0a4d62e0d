/** What can be done to the chapters of a book, each as requests after which the book is read again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { keys } from "@/api/keys";
import { toast } from "@/ui/toasts";
import { useDesk } from "../desk";
import { deleteChapter, readChapter, renameChapter, saveChapter } from "./files";
import { nextName, retitled, swapped, titleOf } from "./naming";
import type { ChapterItem } from "./useChapters";

type Named = Pick<ChapterItem, "name" | "hash">;

function useChange<A>(run: (given: A) => Promise<unknown>) {
  const queries = useQueryClient();
  const { project } = useDesk();
  return useMutation({
    mutationFn: run,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.project(project.id) }),
  });
}

/** A chapter behind all others, which is then open. */
export function useNewChapter() {
  const { project, chapters, hrefOf } = useDesk();
  const [, go] = useLocation();
  return useChange(async ({ title, text }: { title: string; text: string }) => {
    const name = nextName(
      chapters.map((one) => one.name),
      title,
    );
    const made = await saveChapter(project.id, name, text, null);
    go(hrefOf(made.name));
    return made;
  });
}

/** Another title, at the same place. */
export function useRename() {
  const { project, chapter, hrefOf } = useDesk();
  const [, go] = useLocation();
  return useChange(async ({ one, title }: { one: Named; title: string }) => {
    const to = retitled(one.name, title);
    if (to === one.name) return;
    await renameChapter(project.id, one.name, to, one.hash);
    if (chapter === one.name) go(hrefOf(to), { replace: true });
  });
}

/** Two neighbours change places; `null` numbers cannot. */
export function useSwap() {
  const { project, chapter, hrefOf } = useDesk();
  const [, go] = useLocation();
  return useChange(async ({ first, second }: { first: Named; second: Named }) => {
    const names = swapped(first.name, second.name);
    if (names === null) return;
    const [to, other] = names;
    // With the same title one of them would stand in the other's way.
    const aside = to === second.name ? `${titleOf(first.name)}~` : null;
    const start = aside === null ? first.name : retitled(first.name, aside);
    if (aside !== null) await renameChapter(project.id, first.name, start, first.hash);
    await renameChapter(project.id, second.name, other, second.hash);
    await renameChapter(project.id, start, to, first.hash);
    if (chapter === first.name) go(hrefOf(to), { replace: true });
    if (chapter === second.name) go(hrefOf(other), { replace: true });
  });
}

/** Take a chapter out; the toast brings it back. */
export function useDeleteChapter() {
  const { t } = useTranslation();
  const { project, chapter, chapters, hrefOf } = useDesk();
  const [, go] = useLocation();
  const restore = useChange(({ name, text }: { name: string; text: string }) =>
    saveChapter(project.id, name, text, null),
  );
  return useChange(async ({ name, hash }: Named) => {
    const { text } = await readChapter(project.id, name);
    await deleteChapter(project.id, name, hash);
    if (chapter === name) {
      const at = chapters.findIndex((one) => one.name === name);
      const next = chapters[at + 1] ?? chapters[at - 1];
      go(hrefOf(next?.name ?? null), { replace: true });
    }
    toast({
      text: t("desk.deleted", { name: titleOf(name) }),
      action: { label: t("common.undo"), run: () => restore.mutate({ name, text }) },
    });
  });
}
