/** The keys of the desk: with nothing open Esc stops the turn; outside of text undo and redo are the turn's;
 * Ctrl+F looks through the whole book, twice it is the browser's own. */
import { useParam } from "@/app/param";
import { stop, useVerb } from "@/stage/verbs";
import { useKeys } from "@/ui/useKeys";
import { useDesk } from "./desk";
import { Conflicted } from "./history/Conflicted";
import { useRedo, useUndo } from "./history/moving";

export function DeskKeys() {
  const { project } = useDesk();
  const [panel, setPanel] = useParam("panel");
  const undo = useUndo(project.id);
  const redo = useRedo(project.id);
  const stopping = useVerb(() => stop(project.active ?? ""));

  const actOf = (event: KeyboardEvent): (() => void) | null => {
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (control && key === "f") return panel === "replace" ? null : () => setPanel("replace");
    if (key === "escape") return project.active === null ? null : () => stopping.mutate();
    if (isText(event.target) || project.active !== null) return null;
    if (control && key === "z") return () => (event.shiftKey ? redo : undo).mutate(false);
    return null;
  };
  useKeys(actOf);

  const failed = [undo, redo].find((one) => one.error !== null);
  if (failed === undefined) return null;
  return (
    <Conflicted
      error={failed.error}
      pending={failed.isPending}
      onForce={() => failed.mutate(true)}
    />
  );
}

function isText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLInputElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
