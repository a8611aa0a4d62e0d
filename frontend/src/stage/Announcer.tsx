/** What screen readers are told of a turn: its phases and its length, never the stream; whole sentences
 * for those who asked for them. Also marks the title of the tab while a choice is awaited. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePicked } from "@/api/liveturn";
import { draftText, openAsk, partialText, type TurnView } from "@/api/turnview";
import { readOut, wordsAlone } from "@/images/marker";
import { usePreferences } from "@/reading/preferences";
import { useStage } from "./stage";

export function Announcer() {
  const { t } = useTranslation();
  const { live, project } = useStage();
  const view = usePicked(live, (now) => now);
  const { speakSentences } = usePreferences();
  const [told, setTold] = useState("");
  const phase = phaseOf(view);
  const before = useRef<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a phase is told once, when it begins
  useEffect(() => {
    const first = before.current === null;
    before.current = phase;
    if (first && phase !== "waiting") return; // how the story stood when it was opened is no news
    const n = [...wordsAlone(view.final?.text ?? "")].length.toLocaleString();
    setTold(phase === "none" ? "" : t(`stage.phase.${phase}`, { n }));
  }, [phase]);

  useSentences(speakSentences && project.active !== null ? view : null, setTold);

  useEffect(() => {
    const waits = phase === "waiting" && project.active !== null;
    document.title = `${waits ? "● " : ""}${project.title}`;
    return () => {
      document.title = "话本 Huaben";
    };
  }, [phase, project.title, project.active]);

  return (
    <div className="only-spoken" role="status" aria-live="polite">
      {told}
    </div>
  );
}

type Phase = "none" | "running" | "waiting" | "done" | "stopped";

function phaseOf(view: TurnView): Phase {
  if (view.final !== null) return "done";
  if (openAsk(view) !== null) return "waiting";
  if (view.status === "running") return "running";
  return view.status === "queued" ? "none" : "stopped";
}

/** Tell each sentence once, when it is whole. */
function useSentences(view: TurnView | null, tell: (text: string) => void): void {
  const said = useRef(0);
  const text = view === null ? "" : (partialText(view) ?? draftText(view));
  useEffect(() => {
    if (text.length < said.current) said.current = 0;
    const fresh = text.slice(said.current);
    const end = Math.max(...[..."。！？!?…\n"].map((mark) => fresh.lastIndexOf(mark)), -1);
    const stop = Math.max(end, fresh.search(/\.\s[^.]*$/));
    if (stop < 0) return;
    said.current += stop + 1;
    tell(readOut(fresh.slice(0, stop + 1)));
  }, [text, tell]);
}
