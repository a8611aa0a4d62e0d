/** What the parts of the stage share: the story, the turn that is followed, what is being edited. One
 * context, so that rows deep in the list need not be handed everything. */
import { createContext, useContext } from "react";
import type { LiveTurn } from "@/api/liveturn";
import type { PathItem, Project } from "@/api/types";

export interface Stage {
  project: Project;
  /** What is shown of the path, oldest first. */
  rows: readonly PathItem[];
  /** The latest reply that history keeps. */
  latest: PathItem | null;
  /** The turn that runs, or else the one at the end. */
  live: LiveTurn | null;
  /** Whether a turn runs or waits: nothing else may move then. */
  busy: boolean;
  /** The turn that was sent from here last: its words are brought to the top once. */
  sent: string | null;
  setSent: (turn: string | null) => void;
}

export const StageContext = createContext<Stage | null>(null);

export function useStage(): Stage {
  const stage = useContext(StageContext);
  if (stage === null) throw new Error("outside the stage");
  return stage;
}
