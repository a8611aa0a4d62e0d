/** What can be done to the chapters of a book, each as requests after which the book is read again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import { toast } from "@/ui/toasts";
import { useDesk } from "../desk";
import type { OpenChapter } from "../editor/openchapter";
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

/** Go along with the open chapter; what else stands in the address stays. */
function useFollow() {
  const { chapter, hrefOf } = useDesk();
  const [, go] = useLocation();
  return (name: string, to: string | null) => {
    if (chapter !== name) return;
    go(`${hrefOf(to)}${location.search}`, { replace: true, state: history.state });
  };
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
  const { project } = useDesk();
  const follow = useFollow();
  return useChange(async ({ one, title }: { one: Named; title: string }) => {
    const to = retitled(one.name, title);
    if (to === one.name) return;
    await renameChapter(project.id, one.name, to, one.hash);
    follow(one.name, to);
  });
}

/** The file name that a chapter had before; what is typed in it goes along. */
export function useRenameBack() {
  const { project } = useDesk();
  const follow = useFollow();
  return useChange(async ({ chapter, was }: { chapter: OpenChapter; was: string }) => {
    await chapter.save();
    await renameChapter(project.id, chapter.name, was, chapter.hash.get());
    follow(chapter.name, was);
  });
}

/** Two neighbours change places; `null` numbers cannot. */
export function useSwap() {
  const { project } = useDesk();
  const follow = useFollow();
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
    follow(first.name, to);
    follow(second.name, other);
  });
}

/** Take a chapter out; the toast brings it back. */
export function useDeleteChapter() {
  const { t } = useTranslation();
  const { project, chapters } = useDesk();
  const follow = useFollow();
  const restore = useChange(({ name, text }: { name: string; text: string }) =>
    saveChapter(project.id, name, text, null),
  );
  return useChange(async ({ name, hash }: Named) => {
    const text = await textOf(project.id, name);
    await deleteChapter(project.id, name, hash);
    const at = chapters.findIndex((one) => one.name === name);
    follow(name, (chapters[at + 1] ?? chapters[at - 1])?.name ?? null);
    toast({
      text: t("desk.deleted", { name: titleOf(name) }),
      ...(text !== null && {
        action: { label: t("common.undo"), run: () => restore.mutate({ name, text }) },
      }),
    });
  });
}

/** `null` for bytes that are no text: those come back from the history alone. */
async function textOf(project: string, name: string): Promise<string | null> {
  try {
    return (await readChapter(project, name)).text;
  } catch (error) {
    if (asRefusal(error).code === "not_utf8") return null;
    throw error;
  }
}
