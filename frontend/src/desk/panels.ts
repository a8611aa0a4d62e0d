/** The panels of the desk, in their order. A literal list: a panel is its line here, its word under
 * `desk.panel` and its folder. Which is open stands in the address (`?panel=`). */

import { type ComponentType, lazy } from "react";
import type { Project } from "@/api/types";
import { withWords } from "@/i18n";
import type { IconName } from "@/ui/icons";

export interface DeskPanelProps {
  project: Project;
}

export interface DeskPanel {
  id: "timeline" | "compare" | "check" | "replace" | "export" | "import";
  icon: IconName;
  component: ComponentType<DeskPanelProps>;
}

export const DESK_PANELS: readonly DeskPanel[] = [
  { id: "timeline", icon: "returnTo", component: lazy(() => import("./history/Timeline")) },
  { id: "compare", icon: "panel", component: lazy(() => import("./history/Compare")) },
  { id: "check", icon: "check", component: lazy(() => import("./check/CheckPanel")) },
  { id: "replace", icon: "search", component: lazy(() => import("./replace/ReplacePanel")) },
  {
    id: "export",
    icon: "export",
    component: lazy(() => withWords(["report"], import("./exchange/ExportPanel"))),
  },
  {
    id: "import",
    icon: "import",
    component: lazy(() => withWords(["report"], import("./exchange/ImportPanel"))),
  },
];
