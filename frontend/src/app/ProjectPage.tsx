/** The address of a project: its stage or its desk, by what it is. */
import { Button } from "@mantine/core";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { asRefusal } from "@/api/problem";
import { useProject } from "@/api/useProject";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { PageBody } from "@/ui/PageBody";
import { Pending } from "@/ui/Pending";
import type { ScreenProps } from "./routes";

const Stage = lazy(() => import("@/stage/StagePage"));
const Desk = lazy(() => import("@/desk/DeskPage"));

export default function ProjectPage({ params }: ScreenProps) {
  const project = useProject(params.id ?? "");
  if (project.data === undefined) {
    if (project.error === null) return <Pending />;
    if (asRefusal(project.error).status === 404) return <NoStory />;
    return <ErrorNote error={project.error} onRetry={() => void project.refetch()} />;
  }
  if (project.data.mode === "writing") {
    return <Desk project={project.data} chapter={params.chapter ?? null} />;
  }
  return <Stage project={project.data} turn={params.turn ?? null} />;
}

function NoStory() {
  const { t } = useTranslation();
  return (
    <PageBody title={t("common.noStory")}>
      <Empty text={t("common.noStoryWhy")}>
        <Button component={Link} href="/">
          {t("common.toHome")}
        </Button>
        <Button component={Link} href="/library/trash" variant="subtle">
          {t("common.toTrash")}
        </Button>
      </Empty>
    </PageBody>
  );
}
