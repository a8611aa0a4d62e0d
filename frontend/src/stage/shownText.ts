/** What of a turn is shown as its text while it happens: the draft, what arrives of a write, and speech that
 * may yet become prose. Pure. */
import { draftText, lastSpoken, partialText, type TurnView } from "@/api/turnview";

export function shownText(view: TurnView): string {
  if (view.final !== null && view.final.revises === null) return view.final.text;
  const written = partialText(view) ?? draftText(view);
  if (view.status !== "running") return written || lastSpoken(view);
  return [written, arriving(view)].filter(Boolean).join("\n\n");
}

/** The speech of the call that is being made. What is said before tools is no prose. */
function arriving(view: TurnView): string {
  const call = Math.max(...Object.keys(view.spoken).map(Number), -1);
  const chatter = view.tools.some((tool) => tool.call >= call) || view.preview?.call === call;
  return chatter ? "" : lastSpoken(view);
}
