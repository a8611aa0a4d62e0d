/** The stage: a roleplay project, read and played. */
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { ProjectFrame } from "@/app/ProjectFrame";
import { PanelButtons } from "@/panels/PanelButtons";
import { Empty } from "@/ui/Empty";
import { PageBody } from "@/ui/PageBody";

export default function StagePage({ project, turn }: { project: Project; turn: string | null }) {
  const { t } = useTranslation();
  return (
    <ProjectFrame project={project.id} turn={turn}>
      <PageBody title={project.title} tools={<PanelButtons />}>
        <Empty text={t("common.notYet")} />
      </PageBody>
    </ProjectFrame>
  );
}
