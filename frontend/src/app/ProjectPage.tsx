/** The address of a project: its stage or its desk, by what it is. */
import { lazy } from "react";
import { useProject } from "@/api/useProject";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import type { ScreenProps } from "./routes";

const Stage = lazy(() => import("@/stage/StagePage"));
const Desk = lazy(() => import("@/desk/DeskPage"));

export default function ProjectPage({ params }: ScreenProps) {
  const project = useProject(params.id ?? "");
  if (project.data === undefined) {
    if (project.error === null) return <Pending />;
    return <ErrorNote error={project.error} onRetry={() => void project.refetch()} />;
  }
  if (project.data.mode === "writing") {
    return <Desk project={project.data} chapter={params.chapter ?? null} />;
  }
  return <Stage project={project.data} turn={params.turn ?? null} />;
}
