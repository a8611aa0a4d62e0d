/** What every screen inside a project has: the project's event stream and the side panels. */
import type { ReactNode } from "react";
import { type ProjectEvent, useProjectStream } from "@/api/useProject";
import { PanelHost } from "@/panels/PanelHost";
import classes from "./ProjectFrame.module.css";

interface ProjectFrameProps {
  project: string;
  /** The turn that the address names; `null`: the head. */
  turn: string | null;
  onEvent?: (event: ProjectEvent) => void;
  children: ReactNode;
}

export function ProjectFrame({ project, turn, onEvent, children }: ProjectFrameProps) {
  useProjectStream(project, onEvent);
  return (
    <div className={classes.frame}>
      <div className={classes.story}>{children}</div>
      <PanelHost project={project} turn={turn} />
    </div>
  );
}
