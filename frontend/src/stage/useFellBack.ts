/** A new variant that yielded nothing gives the story back to the one before it: that is said once, so
 * that nobody wonders where it went. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { toast } from "@/ui/toasts";

/** The variant that was asked for from here last, and the state of the story that it was asked in. */
const asked: { turn: string | null; seq: number } = { turn: null, seq: 0 };

export function variantAsked(turn: string, seq: number): void {
  asked.turn = turn;
  asked.seq = seq;
}

export function useFellBack(project: Project): void {
  const { t } = useTranslation();
  useEffect(() => {
    const { turn, seq } = asked;
    // It may run and end between two looks at the story: only the state before it tells nothing.
    if (turn === null || project.seq <= seq) return;
    if (project.active === turn || project.queued.includes(turn)) return;
    asked.turn = null;
    // Where it ended with something, the story stands at it.
    if (project.head !== turn) toast({ text: t("stage.nothingWritten") });
  }, [project, t]);
}
