/** The stage: a roleplay project, read and played. */
import { useMemo, useState } from "react";
import { useFollowed } from "@/api/liveturn";
import type { Project } from "@/api/types";
import type { ProjectEvent } from "@/api/useProject";
import { ProjectFrame } from "@/app/ProjectFrame";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { Announcer } from "./Announcer";
import { Bar } from "./Bar";
import { ComingIn } from "./ComingIn";
import { Foot } from "./Foot";
import { Newer } from "./Newer";
import { Selected } from "./Selected";
import classes from "./Stage.module.css";
import { StageKeys } from "./StageKeys";
import { Story } from "./Story";
import { type Stage, StageContext } from "./stage";
import { latestReply, shown } from "./transcript";
import { useFellBack } from "./useFellBack";
import { useTranscript } from "./useTranscript";

export default function StagePage({ project, turn }: { project: Project; turn: string | null }) {
  // A planning that failed is said at its turn, whose log has ended by then.
  const [failed, setFailed] = useState(0);
  const hear = ({ kind, data }: ProjectEvent) => {
    if (kind === "plan_changed" && data.outcome === "failed") setFailed((n) => n + 1);
  };
  return (
    <ProjectFrame project={project.id} turn={turn} onEvent={hear}>
      <Theatre key={project.id} project={project} turn={turn} late={failed} />
    </ProjectFrame>
  );
}

interface TheatreProps {
  project: Project;
  turn: string | null;
  late: number;
}

function Theatre({ project, turn, late }: TheatreProps) {
  const transcript = useTranscript(project.id);
  const [sent, setSent] = useState<string | null>(null);
  const items = transcript.data?.items;
  const rows = useMemo(() => shown(items ?? []), [items]);
  const last = rows.at(-1);
  const end = last?.kind === "turn" ? last.id : null;
  const live = useFollowed(project.active ?? end, project.active !== null, late);
  const stage = useMemo<Stage>(
    () => ({
      project,
      rows,
      latest: latestReply(rows),
      live,
      busy: project.active !== null || project.queued.length > 0,
      sent,
      setSent,
    }),
    [project, rows, live, sent],
  );
  useFellBack(project);
  return (
    <StageContext value={stage}>
      <div className={classes.stage}>
        <Bar />
        <Newer />
        {transcript.data === undefined && (
          // The box stands at the foot from the first moment on.
          <div className={classes.around}>
            {transcript.error === null ? (
              <Pending />
            ) : (
              <ErrorNote error={transcript.error} onRetry={() => void transcript.refetch()} />
            )}
          </div>
        )}
        {transcript.data !== undefined && (
          <Story
            older={transcript.data.older !== null}
            readOlder={transcript.readOlder}
            turn={turn}
          />
        )}
        <ComingIn project={project.id} />
        <Foot />
        <Selected />
        <Announcer />
        <StageKeys />
      </div>
    </StageContext>
  );
}
