/** The plan in force: how old it is, its text, its notes, how it came about, what it cost. */
import { Button, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useProject } from "@/api/useProject";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import classes from "../Panels.module.css";
import type { PanelProps } from "../registry";
import { useAtHead } from "../world/ledger";
import { Jobs } from "./Jobs";
import { Notes } from "./Notes";
import { type Plan, usePlan, useRerun, useSwitch } from "./plan";
import { Revisions } from "./Revisions";
import { State } from "./State";

export function Opened({ project, turn, onHide }: PanelProps & { onHide: () => void }) {
  const { t } = useTranslation();
  const found = usePlan(project, turn);
  const head = useAtHead(project, turn);
  if (found.data === undefined) {
    if (found.error === null) return <Pending />;
    return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  }
  const plan = found.data;
  return (
    <>
      <Facts plan={plan} />
      <Steering project={project} plan={plan} turn={turn} />
      {!head && <p className={classes.facts}>{t("plan.earlier")}</p>}
      <State project={project} plan={plan} fixed={!head} />
      <Notes project={project} plan={plan} fixed={!head} />
      <Revisions project={project} />
      <Jobs project={project} />
      <Button variant="subtle" className={classes.plain} onClick={onHide}>
        {t("plan.hide")}
      </Button>
    </>
  );
}

function Facts({ plan }: { plan: Plan }) {
  const { t } = useTranslation();
  const facts = [
    plan.revision === 0 ? t("plan.noPlan") : t("plan.revision", { n: plan.revision }),
    plan.revision > 0 && plan.author !== "" ? t(`plan.by.${plan.author}`) : "",
    plan.revision > 0 ? t("plan.age", { count: plan.age_turns }) : "",
    plan.planning.length > 0 ? t("plan.planning") : "",
  ];
  return (
    <p className={classes.facts} role="status">
      {facts.filter((one) => one !== "").join(" · ")}
    </p>
  );
}

function Steering({ project, plan, turn }: { project: string; plan: Plan; turn: string | null }) {
  const { t } = useTranslation();
  const { data } = useProject(project);
  const turned = useSwitch(project);
  const rerun = useRerun(project);
  const at = turn ?? data?.head;
  const error = turned.error ?? rerun.error;
  return (
    <div className={classes.form}>
      <Switch
        label={t("plan.enabled")}
        checked={plan.enabled}
        disabled={turned.isPending}
        onChange={(event) => turned.mutate(event.currentTarget.checked)}
      />
      <div className={classes.buttons}>
        <Button
          disabled={at === undefined || !plan.enabled}
          loading={rerun.isPending}
          onClick={() => at !== undefined && rerun.mutate(at)}
        >
          {t("plan.rerun")}
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}
