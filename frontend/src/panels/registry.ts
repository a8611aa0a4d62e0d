/** The side panels, in their order. A literal list: a panel is its line here, its word in
 * i18n/…/panels.ts and its folder. */
import { type ComponentType, lazy } from "react";
import type { IconName } from "@/ui/icons";

export interface PanelProps {
  project: string;
  /** The turn that the address names; `null`: the head. */
  turn: string | null;
}

export interface Panel {
  id: "world" | "roster" | "lore" | "memory" | "plan" | "cost";
  icon: IconName;
  component: ComponentType<PanelProps>;
}

export const PANELS: readonly Panel[] = [
  { id: "world", icon: "world", component: lazy(() => import("./world/WorldPanel")) },
  { id: "roster", icon: "people", component: lazy(() => import("./roster/RosterPanel")) },
  { id: "lore", icon: "book", component: lazy(() => import("./lore/LorePanel")) },
  { id: "memory", icon: "memory", component: lazy(() => import("./memory/MemoryPanel")) },
  { id: "plan", icon: "plan", component: lazy(() => import("./plan/PlanPanel")) },
  { id: "cost", icon: "cost", component: lazy(() => import("./cost/CostPanel")) },
];
