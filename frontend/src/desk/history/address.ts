/** The comparison of two states in the address, so that it can be come back to. */
import { navigate } from "wouter/use-browser-location";

/** Show two checkpoints beside each other; `to` left out: the book as it is now. */
export function openComparison(from: string, to: string | null): void {
  open({ panel: "compare", from, to });
}

/** Export the book as it was at a checkpoint. */
export function openExport(at: string): void {
  open({ panel: "export", at });
}

/** A step of the history, so that Back leads to the timeline; within the same panel none. */
function open(wanted: Readonly<Record<string, string | null>>): void {
  const params = new URLSearchParams(location.search);
  const replace = params.get("panel") === wanted.panel;
  for (const [name, value] of Object.entries(wanted)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  navigate(`${location.pathname}?${params}`, { replace, state: replace ? history.state : {} });
}
