/** A new variant that yielded nothing gives the story back to the one before it: that is said once, so
 * that nobody wonders where it went. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { toast } from "@/ui/toasts";

/** The variant that was asked for from here last. */
const asked: { turn: string | null } = { turn: null };

export function variantAsked(turn: string): void {
  asked.turn = turn;
}

export function useFellBack(project: Project): void {
  const { t } = useTranslation();
  const ran = useRef<string | null>(null);
  useEffect(() => {
    const { turn } = asked;
    if (project.active === turn) ran.current = turn;
    if (turn === null || ran.current !== turn || project.active === turn) return;
    asked.turn = null;
    ran.current = null;
    // Where it ended with something, the story stands at it.
    if (project.head !== turn) toast({ text: t("stage.nothingWritten") });
  }, [project, t]);
}
