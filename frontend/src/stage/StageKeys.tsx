/** The keys of the stage. Single letters act only on a turn that has the focus; no key acts while an
 * input method composes. */
import { useLocation } from "wouter";
import type { PathItem } from "@/api/types";
import { useParam } from "@/app/param";
import { draftOf } from "@/ui/draft";
import { useKeys } from "@/ui/useKeys";
import { beginEdit, useEditing } from "./edits";
import { resending } from "./resending";
import { type Stage, useStage } from "./stage";
import { useBranch } from "./useBranch";
import { continuable, useContinue } from "./useContinue";
import { stop, useMoves, useVariant, useVerb } from "./verbs";

export function StageKeys(): null {
  const stage = useStage();
  useKeys(useActs(stage));
  return null;
}

type Act = (() => void) | null;

function useActs(stage: Stage): (event: KeyboardEvent) => Act {
  const { project, rows, busy } = stage;
  const { undo, redo, back, greet } = useMoves();
  const variant = useVariant();
  const branch = useBranch();
  const more = useContinue();
  const running = project.active ?? runningAt(rows.at(-1));
  const stopping = useVerb(() => stop(running ?? ""));
  const editing = useEditing();
  const [, go] = useLocation();
  const [sheet, setSheet] = useParam("sheet");
  const last = rows.at(-1);

  const another = (): Act => {
    if (busy || editing || last?.kind !== "turn") return null;
    return () => variant.mutate({ turn: last.id });
  };
  const goOn = (): Act => {
    if (busy || editing || !continuable(last)) return null;
    return () => more.mutate(last);
  };
  const page = (step: number): Act => {
    if (busy || last === undefined) return null;
    const at = last.variants.indexOf(last.id) + step;
    const turn = last.variants[at];
    if (turn === undefined) return null;
    return () => (last.kind === "greeting" ? greet.mutate(at) : back.mutate(turn));
  };

  const chord = (event: KeyboardEvent): Act => {
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (control && key === "f") {
      // Twice gives the browser's own.
      return sheet === "find" ? null : () => setSheet("find");
    }
    if (event.altKey && event.key === "Enter") return goOn();
    if (isText(event.target)) {
      if (event.altKey && event.code === "KeyR") return another();
      return inBox(event);
    }
    if (control && key === "z") return () => (event.shiftKey ? redo : undo).mutate();
    if (event.altKey && event.code === "KeyR") return another();
    if (control || event.altKey) return null;
    if (event.key === "?") return () => setSheet("keys");
    if (event.key === "Escape") return stopNow();
    return onTurn(event);
  };

  // With nothing open Esc stops the turn; what is open takes the key before it comes here.
  const stopNow = (): Act => (running === null ? null : () => stopping.mutate());

  const inBox = (event: KeyboardEvent): Act => {
    if (event.key === "Escape") return stopNow();
    const box = event.target;
    if (!(box instanceof HTMLTextAreaElement) || box.dataset.composer === undefined) return null;
    if (draftOf(project.id).get() !== "" || event.ctrlKey || event.altKey) return null;
    if (event.key === "ArrowUp" && !busy && last?.kind === "turn") return () => resending(last.id);
    if (event.key === "ArrowLeft") return page(-1);
    if (event.key === "ArrowRight") return page(1);
    return null;
  };

  const onTurn = (event: KeyboardEvent): Act => {
    const article = document.activeElement?.closest<HTMLElement>("[data-turn]");
    const key = event.key.toLowerCase();
    if (key === "j" || key === "k") return () => step(article ?? null, key === "j" ? 1 : -1);
    const item = rows.find((row) => row.id === article?.dataset.turn);
    if (item === undefined || document.activeElement !== article) return null;
    if (key === "i") return () => go(`/p/${project.id}/inspect/${item.id}`);
    if (key === "s") return () => setSheet(`save.${item.id}`);
    if (busy) return null;
    if (key === "e") return () => beginEdit(item, null);
    if (key === "b") return () => branch(item);
    if (key === "c" && item === last) return goOn();
    if (key === "r" && item.kind === "turn" && !editing) {
      return () => variant.mutate({ turn: item.id });
    }
    return null;
  };
  return chord;
}

/** The turn at the end while it runs: the transcript may know of it before the project does. */
function runningAt(last: PathItem | undefined): string | null {
  return last?.status === "running" || last?.status === "waiting" ? last.id : null;
}

function isText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !["radio", "checkbox", "range"].includes(target.type)) ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

/** Move the focus from turn to turn; from nowhere, to the last that is drawn. */
function step(from: HTMLElement | null, by: number): void {
  const all = [...document.querySelectorAll<HTMLElement>("[data-turn]")];
  const at = from === null ? all.length - (by < 0 ? 0 : 1) : all.indexOf(from) + by;
  const next = all[Math.min(all.length - 1, Math.max(0, at))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
