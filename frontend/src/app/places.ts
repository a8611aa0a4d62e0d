/** The main places of the page: what the rail and the bottom tabs offer. A literal list. */
import type { IconName } from "@/ui/icons";

export interface Place {
  id: "home" | "library" | "connections" | "scenarios" | "settings";
  href: string;
  icon: IconName;
  /** Whether it is among the bottom tabs of a narrow window. */
  tab: boolean;
}

export const PLACES: readonly Place[] = [
  { id: "home", href: "/", icon: "home", tab: true },
  { id: "library", href: "/library/cards", icon: "library", tab: true },
  { id: "connections", href: "/connections", icon: "plug", tab: true },
  { id: "scenarios", href: "/scenarios", icon: "scenario", tab: false },
  { id: "settings", href: "/settings", icon: "settings", tab: true },
];

/** Whether an address lies in a place. */
export function isIn(place: Place, path: string): boolean {
  if (place.href === "/") return path === "/";
  const root = `/${place.href.split("/")[1] ?? ""}`;
  return path === root || path.startsWith(`${root}/`);
}
