/** The desk: a writing project. Chapters, text and discussion beside each other on a wide window, behind
 * tabs on a narrow one. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFollowed } from "@/api/liveturn";
import type { Project } from "@/api/types";
import { ProjectFrame } from "@/app/ProjectFrame";
import { useParam } from "@/app/param";
import { PANELS } from "@/panels/registry";
import { Announcer } from "@/stage/Announcer";
import { Foot } from "@/stage/Foot";
import { Sheets } from "@/stage/Sheets";
import { type Stage, StageContext } from "@/stage/stage";
import { shown } from "@/stage/transcript";
import { useTranscript } from "@/stage/useTranscript";
import { Pending } from "@/ui/Pending";
import { useWide } from "@/ui/useWide";
import { Bar } from "./Bar";
import { ChapterList } from "./chapters/ChapterList";
import { useChapters } from "./chapters/useChapters";
import classes from "./Desk.module.css";
import { DeskKeys } from "./DeskKeys";
import { DeskPanels } from "./DeskPanels";
import { type Desk, DeskContext } from "./desk";
import { Discussion } from "./discussion/Discussion";
import { TextPane } from "./editor/TextPane";
import { Refused } from "./Refused";
import { useReviewed } from "./useReviewed";

interface DeskPageProps {
  project: Project;
  /** File name of the chapter that the address names. */
  chapter: string | null;
}

export default function DeskPage({ project, chapter }: DeskPageProps) {
  return (
    <ProjectFrame project={project.id} turn={null}>
      <Room key={project.id} project={project} chapter={chapter} />
    </ProjectFrame>
  );
}

function Room({ project, chapter }: DeskPageProps) {
  const listed = useChapters(project.id);
  const items = listed.data?.items;
  const stage = useDiscussed(project);
  const reviewed = useReviewed(project, stage.live);
  const open = chapter ?? items?.at(0)?.name ?? null;
  const desk = useMemo<Desk>(
    () => ({
      project,
      chapters: items ?? [],
      chapter: open,
      reviewed,
      hrefOf: (name) =>
        name === null ? `/p/${project.id}` : `/p/${project.id}/c/${encodeURIComponent(name)}`,
    }),
    [project, items, open, reviewed],
  );
  return (
    <StageContext value={stage}>
      <DeskContext value={desk}>
        <div className={classes.desk}>
          <Bar />
          <DeskKeys />
          {listed.error !== null && (
            <Refused error={listed.error} onRetry={() => void listed.refetch()} />
          )}
          {listed.data === undefined ? listed.error === null && <Pending /> : <Panes />}
          <DeskPanels />
          <Sheets />
        </div>
      </DeskContext>
    </StageContext>
  );
}

/** The discussion as the stage's own parts know a story. */
function useDiscussed(project: Project): Stage {
  const items = useTranscript(project.id).data?.items;
  const [sent, setSent] = useState<string | null>(null);
  const rows = useMemo(() => shown(items ?? []), [items]);
  const last = rows.at(-1);
  const end = last?.kind === "turn" ? last.id : null;
  const live = useFollowed(project.active ?? end, project.active !== null);
  return useMemo<Stage>(
    () => ({
      project,
      rows,
      latest: null,
      live,
      busy: project.active !== null || project.queued.length > 0,
      sent,
      setSent,
    }),
    [project, rows, live, sent],
  );
}

/** What a narrow window shows one of. */
const SIDES = ["chapters", "text", "discussion"] as const;

function Panes() {
  const { t } = useTranslation();
  const wide = useWide();
  const [side, setSide] = useParam("side");
  const [panel] = useParam("panel");
  const [focus] = useParam("focus");
  const shown = SIDES.find((one) => one === side) ?? "text";
  const alone = focus !== null;
  const beside = PANELS.some((one) => one.id === panel);
  const has = (one: (typeof SIDES)[number]) => {
    if (alone) return one === "text";
    if (!wide) return one === shown;
    return one !== "discussion" || !beside;
  };
  return (
    <>
      {!wide && !alone && (
        <nav className={classes.tabs} aria-label={t("desk.parts")}>
          {SIDES.map((one) => (
            <button
              key={one}
              type="button"
              className={classes.tab}
              aria-pressed={one === shown}
              onClick={() => setSide(one === "text" ? null : one)}
            >
              {t(`desk.part.${one}`)}
            </button>
          ))}
        </nav>
      )}
      <div className={classes.panes}>
        {has("chapters") && <ChapterList />}
        {has("text") && <TextPane />}
        {has("discussion") && <Discussion box={wide} />}
      </div>
      {!wide && !alone && shown !== "chapters" && (
        <div className={classes.under}>
          <Foot />
        </div>
      )}
      <Announcer />
    </>
  );
}
