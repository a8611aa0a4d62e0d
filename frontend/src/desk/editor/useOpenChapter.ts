/** The open chapter in a component, kept up with what the chapter is on the server. */
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { filesIn } from "../chapters/files";
import type { ChapterItem } from "../chapters/useChapters";
import { useDesk } from "../desk";
import type { FileChange } from "../review/made";
import { OpenChapter } from "./openchapter";

interface Opening {
  chapter: OpenChapter | null;
  error: unknown;
}

/** Key the component by the name: another chapter is another opening. */
export function useOpenChapter(project: string, name: string): Opening & { again: () => void } {
  const [opening, setOpening] = useState<Opening>({ chapter: null, error: null });
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try reads anew
  useEffect(() => {
    let left = false;
    OpenChapter.open(filesIn(project), name).then(
      (chapter) => left || setOpening({ chapter, error: null }),
      (error: unknown) => left || setOpening({ chapter: null, error }),
    );
    return () => {
      left = true;
    };
  }, [project, name, tries]);
  return { ...opening, again: () => setTries((before) => before + 1) };
}

/** Take in what changed elsewhere; go along where the chapter has another name now. `current`: the editor has
 * what the list says; `gone`: there is no such chapter any more, and nothing unsaved of it. */
export function useKeptUp(chapter: OpenChapter): { current: boolean; gone: boolean } {
  const { chapters, hrefOf, reviewed } = useDesk();
  const [, go] = useLocation();
  const hash = chapter.hash.use();
  const { kind } = chapter.saving.use();
  const saving = kind === "saving";
  const listed = chapters.find((one) => one.name === chapter.name);
  // A list that has never had it was read before it was made.
  const seen = useRef(false);
  if (listed !== undefined) seen.current = true;
  const told = kind === "saved" ? toldOf(reviewed.files, chapters, chapter.name) : null;
  const moved = listed === undefined && seen.current ? (movedTo(chapters, hash) ?? told) : null;
  useEffect(() => {
    if (saving) return;
    if (moved !== null) go(hrefOf(moved), { replace: true });
    else if (seen.current && listed?.hash !== hash) void chapter.pull();
  }, [chapter, listed?.hash, hash, saving, moved, go, hrefOf]);
  return {
    current: listed?.hash === hash && !saving,
    gone: listed === undefined && seen.current && kind === "saved",
  };
}

/** What the turn calls it now, which has perhaps written in it too. */
function toldOf(
  files: readonly FileChange[],
  chapters: readonly ChapterItem[],
  name: string,
): string | null {
  const to = files.find((one) => one.was === name)?.name ?? null;
  return chapters.some((one) => one.name === to) ? to : null;
}

/** Where the same text stands under another name, if at one place alone. */
function movedTo(chapters: readonly ChapterItem[], hash: string): string | null {
  const same = chapters.filter((one) => one.hash === hash);
  return same.length === 1 ? (same[0]?.name ?? null) : null;
}
