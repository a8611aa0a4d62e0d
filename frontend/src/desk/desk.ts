/** What the parts of the desk share: the book, its chapters, the one that is open, the turn whose changes are
 * looked at. One context, as the stage has it. */
import { createContext, useContext } from "react";
import type { Project } from "@/api/types";
import type { ChapterItem } from "./chapters/useChapters";
import type { FileChange } from "./review/made";

export interface Desk {
  project: Project;
  chapters: readonly ChapterItem[];
  /** File name of the open chapter; `null`: there is none. */
  chapter: string | null;
  /** The turn whose changes are looked at, and what it changed. */
  reviewed: { turn: string | null; files: readonly FileChange[]; running: boolean };
  /** The address of a chapter, or of the book. */
  hrefOf: (chapter: string | null) => string;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("outside the desk");
  return desk;
}
