/** The map of a story: its folded tree, what stands at the chosen place, and the saves. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { Project } from "@/api/types";
import { useProject } from "@/api/useProject";
import { ProjectFrame } from "@/app/ProjectFrame";
import { useParam } from "@/app/param";
import type { ScreenProps } from "@/app/routes";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";
import { PageBody } from "@/ui/PageBody";
import { Pending } from "@/ui/Pending";
import { useWide } from "@/ui/useWide";
import { placed } from "./layout";
import classes from "./Map.module.css";
import { Outline } from "./Outline";
import { Preview } from "./Preview";
import { SaveList } from "./SaveList";

export default function MapPage({ params }: ScreenProps) {
  const { t } = useTranslation();
  const id = params.id ?? "";
  const project = useProject(id);
  return (
    <ProjectFrame project={id} turn={null}>
      <PageBody
        wide
        title={
          project.data === undefined ? t("map.title") : `${t("map.title")} · ${project.data.title}`
        }
        tools={
          <Link className={classes.link} href={`/p/${id}`}>
            <Icon name="back" size={18} />
            {t("map.toStory")}
          </Link>
        }
      >
        {project.error !== null && (
          <ErrorNote error={project.error} onRetry={() => void project.refetch()} />
        )}
        {project.data !== undefined && <StoryMap project={project.data} />}
      </PageBody>
    </ProjectFrame>
  );
}

function StoryMap({ project }: { project: Project }) {
  const { t } = useTranslation();
  const wide = useWide();
  const [chosen, choose] = useParam("at");
  useEscape(!wide && chosen !== null, () => choose(null));
  const known = useQuery({
    queryKey: [...keys.project(project.id), "map"],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/map", { params: { path: { project_id: project.id } } }),
      ),
  });
  const rows = useMemo(() => placed(known.data?.items ?? []), [known.data]);
  if (known.error !== null) {
    return <ErrorNote error={known.error} onRetry={() => void known.refetch()} />;
  }
  if (known.data === undefined) return <Pending />;
  const open = chosen ?? (wide ? known.data.head : undefined);
  const item = rows.find((row) => row.item.id === open)?.item;
  const preview = open !== undefined && (
    <Preview key={open} project={project} turn={open} item={item} head={known.data.head} />
  );
  return (
    <div className={classes.columns}>
      <div className={classes.tree} data-covered={(!wide && open !== undefined) || undefined}>
        <Outline rows={rows} open={open ?? known.data.head} onOpen={choose} />
        {!wide && <SaveList project={project} onShow={choose} />}
      </div>
      {wide && (
        <div className={classes.side}>
          {preview}
          <SaveList project={project} onShow={choose} />
        </div>
      )}
      {!wide && open !== undefined && (
        <div className={classes.sheet}>
          <div className={classes.sheetHead}>
            <IconButton
              icon="close"
              size={44}
              label={t("common.close")}
              onClick={() => choose(null)}
            />
          </div>
          <div className={classes.sheetBody}>{preview}</div>
        </div>
      )}
    </div>
  );
}
