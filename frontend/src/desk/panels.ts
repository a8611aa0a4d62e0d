/** The panels of the desk, in their order. A literal list: a panel is its line here, its word under
 * `desk.panel` and its folder. Which is open stands in the address (`?panel=`). */
import type { ComponentType } from "react";
import type { Project } from "@/api/types";
import type { IconName } from "@/ui/icons";

export interface DeskPanelProps {
  project: Project;
}

export interface DeskPanel {
  id: "timeline" | "compare" | "replace" | "export" | "import";
  icon: IconName;
  component: ComponentType<DeskPanelProps>;
}

export const DESK_PANELS: readonly DeskPanel[] = [];
