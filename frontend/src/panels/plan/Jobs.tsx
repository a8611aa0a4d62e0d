/** The planning jobs: their state, what they came to and cost, and each as its tree of calls and checks. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { dayOf } from "@/ui/times";
import classes from "../Panels.module.css";
import { Nodes } from "./Nodes";
import { type PlanJob, useCancel, useJobs } from "./plan";
import { spend } from "./spend";

export function Jobs({ project }: { project: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("plan.jobs")}</summary>
      {open && <List project={project} />}
    </details>
  );
}

function List({ project }: { project: string }) {
  const { t } = useTranslation();
  const found = useJobs(project);
  if (found.error !== null) return <ErrorNote error={found.error} />;
  if (found.data === undefined) return <Pending />;
  const jobs = found.data.pages.flatMap((page) => page.items);
  if (jobs.length === 0) return <p className={classes.facts}>{t("plan.noJobs")}</p>;
  const total = spend(jobs.map((job) => job.cost_micros));
  return (
    <>
      {total !== "" && (
        <p className={classes.facts}>{t("plan.spend", { n: jobs.length, cost: total })}</p>
      )}
      <ol className={classes.list}>
        {jobs.map((job) => (
          <One key={job.number} job={job} project={project} />
        ))}
      </ol>
      {found.hasNextPage && (
        <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {t("world.older")}
        </Button>
      )}
    </>
  );
}

function One({ job, project }: { job: PlanJob; project: string }) {
  const { t } = useTranslation();
  const cancel = useCancel(project);
  const word =
    job.outcome === "" ? t(`plan.states.${job.state}`) : t(`plan.outcomes.${job.outcome}`);
  const cost = spend([job.cost_micros]);
  return (
    <li>
      <div className={classes.head}>
        <h3>
          {job.number} · {word}
        </h3>
        {job.state !== "over" && (
          <Button loading={cancel.isPending} onClick={() => cancel.mutate(job.number)}>
            {t("plan.cancel")}
          </Button>
        )}
      </div>
      <p className={classes.facts}>
        {t("plan.turn", { n: job.source_turn })} · {t("plan.calls", { count: job.calls })} ·{" "}
        {t("plan.tokens", {
          prompt: job.prompt.toLocaleString(),
          completion: job.completion.toLocaleString(),
          cached: job.cached.toLocaleString(),
        })}
        {cost !== "" && ` · ${cost}`}
        {job.began_at !== "" && ` · ${dayOf(job.began_at)}`}
      </p>
      {job.detail !== "" && <p>{job.detail}</p>}
      {cancel.error !== null && <ErrorNote error={cancel.error} />}
      {job.nodes.length > 0 && (
        <details className={classes.details}>
          <summary>{t("plan.trace")}</summary>
          <Nodes nodes={job.nodes} />
        </details>
      )}
    </li>
  );
}
