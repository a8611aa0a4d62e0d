/** The continuity check: started here, what the experts found with its quotations, and the author's word on each. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Project } from "@/api/types";
import classes from "@/panels/Panels.module.css";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { useDesk } from "../desk";
import { type Check, type Finding, useCheck, useSettle, useStart } from "./check";

export default function CheckPanel({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { chapter } = useDesk();
  const found = useCheck(project.id);
  const start = useStart(project.id);
  if (found.data === undefined) {
    if (found.error === null) return <Pending />;
    return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  }
  const running = found.data.state === "running";
  return (
    <div className={classes.form}>
      <p className={classes.facts}>{t("check.what")}</p>
      <div className={classes.buttons}>
        <Button
          variant="filled"
          disabled={running}
          loading={start.isPending}
          onClick={() => start.mutate([])}
        >
          {t("check.start")}
        </Button>
        {chapter !== null && (
          <Button disabled={running} onClick={() => start.mutate([chapter])}>
            {t("check.chapter")}
          </Button>
        )}
      </div>
      {start.error !== null && <ErrorNote error={start.error} />}
      <Standing check={found.data} />
      {found.data.left_out.length > 0 && (
        <p className={classes.facts}>
          {t("check.leftOut", { names: found.data.left_out.join(t("world.comma")) })}
        </p>
      )}
      {found.data.failed.length > 0 && (
        <p className={classes.facts}>
          {t("check.failedExperts", { names: found.data.failed.join(t("world.comma")) })}
        </p>
      )}
      <ol className={classes.list}>
        {found.data.findings.map((finding) => (
          <One key={finding.number} project={project.id} finding={finding} />
        ))}
      </ol>
    </div>
  );
}

/** How the newest check stands. */
function Standing({ check }: { check: Check }) {
  const { t } = useTranslation();
  const count = check.findings.length;
  return (
    <p className={classes.facts} role="status">
      {check.state === "running" && t("check.running")}
      {check.state === "failed" && t("check.failed", { message: check.message })}
      {check.state === "done" && count === 0 && t("check.nothing")}
      {check.state === "done" && count > 0 && t("check.done", { count })}
    </p>
  );
}

function One({ project, finding }: { project: string; finding: Finding }) {
  const { t } = useTranslation();
  const settling = useSettle(project);
  const settle = (state: Finding["state"]) => settling.mutate({ number: finding.number, state });
  const open = finding.state === "open";
  return (
    <li className={classes.person}>
      <p className={open ? undefined : classes.facts}>
        {finding.text}
        {finding.advisory && <span className={classes.word}>{t("check.advisory")}</span>}
        {finding.state !== "open" && (
          <span className={classes.word}>{t(`check.${finding.state}`)}</span>
        )}
      </p>
      {finding.quote !== "" && (
        <Quoted
          project={project}
          chapter={finding.chapter}
          words={finding.quote}
          stands={finding.at !== null}
        />
      )}
      {finding.against !== "" && (
        <Quoted
          project={project}
          chapter={finding.against_chapter}
          words={finding.against}
          stands={finding.against_chapter === "" || finding.against_at !== null}
        />
      )}
      <div className={classes.buttons}>
        {open ? (
          <>
            <Button onClick={() => settle("accepted")}>{t("check.accept")}</Button>
            <Button onClick={() => settle("dismissed")}>{t("check.dismiss")}</Button>
          </>
        ) : (
          <Button onClick={() => settle("open")}>{t("check.reopen")}</Button>
        )}
      </div>
      {settling.error !== null && <ErrorNote error={settling.error} />}
    </li>
  );
}

interface QuotedProps {
  project: string;
  chapter: string;
  words: string;
  stands: boolean;
}

function Quoted({ project, chapter, words, stands }: QuotedProps) {
  const { t } = useTranslation();
  return (
    <blockquote className={classes.quote}>
      {words}
      <p>
        {chapter === "" ? (
          t("check.ledger")
        ) : (
          <Link href={`/p/${project}/c/${encodeURIComponent(chapter)}?panel=check`}>{chapter}</Link>
        )}
        {!stands && <span className={classes.word}>{t("world.gone")}</span>}
      </p>
    </blockquote>
  );
}
