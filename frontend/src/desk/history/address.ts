/** The comparison of two states in the address, so that it can be come back to. */
import { navigate } from "wouter/use-browser-location";

/** Show two checkpoints beside each other; `to` left out: the book as it is now. Back leads to where the
 * panel was opened from. */
export function openComparison(from: string, to: string | null): void {
  open({ panel: "compare", from, to });
}

/** Export the book as it was at a checkpoint. */
export function openExport(at: string): void {
  open({ panel: "export", at });
}

function open(wanted: Readonly<Record<string, string | null>>): void {
  const params = new URLSearchParams(location.search);
  const panelOpen = params.has("panel");
  for (const [name, value] of Object.entries(wanted)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  const state: unknown = panelOpen ? history.state : { opened: "panel" };
  navigate(`${location.pathname}?${params}`, { replace: panelOpen, state });
}
