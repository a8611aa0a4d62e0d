/** Earlier text was changed after the scribe had read it: reading again, with the difference first. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "../Panels.module.css";
import { Changes } from "./Changes";

const EVERY_MS = 1500;

interface RecomputeProps {
  project: string;
  /** The head, where the ledger stands. */
  head: string;
  changed: readonly string[];
}

export function Recompute({ project, head, changed }: RecomputeProps) {
  const { t } = useTranslation();
  const found = useReading(project);
  const first = changed[0];
  const begin = useStep(project, () =>
    told(
      api.POST("/api/turns/{turn_id}/recompute", { params: { path: { turn_id: first ?? "" } } }),
    ),
  );
  const reading = found.data?.state === "reading";
  const ready = found.data?.state === "ready";
  if (first === undefined && !reading && !ready) return null;
  return (
    <section aria-label={t("world.recompute")}>
      {first !== undefined && !reading && !ready && (
        <div className={classes.notice} role="status">
          <p>{t("world.changed")}</p>
          <Button loading={begin.isPending} onClick={() => begin.mutate()}>
            {t("world.recompute")}
          </Button>
        </div>
      )}
      {found.data?.state === "failed" && first !== undefined && (
        <p role="alert">{t("world.recomputeFailed", { message: found.data.message })}</p>
      )}
      {reading && (
        <div className={classes.notice} role="status">
          <p>{t("world.reading", { done: found.data?.done, total: found.data?.total })}</p>
        </div>
      )}
      {ready && found.data !== null && (
        <Ready
          project={project}
          changes={found.data?.changes ?? []}
          movedOn={found.data?.head !== head}
        />
      )}
      {begin.error !== null && <ErrorNote error={begin.error} />}
    </section>
  );
}

interface ReadyProps {
  project: string;
  changes: Parameters<typeof Changes>[0]["changes"];
  /** The story went on since: what was read is no longer what stands at its end. */
  movedOn: boolean;
}

function Ready({ project, changes, movedOn }: ReadyProps) {
  const { t } = useTranslation();
  const params = { path: { project_id: project } };
  const apply = useStep(project, () =>
    told(api.POST("/api/projects/{project_id}/recompute/apply", { params })),
  );
  const dismiss = useStep(project, () =>
    told(api.POST("/api/projects/{project_id}/recompute/dismiss", { params })),
  );
  const error = apply.error ?? dismiss.error;
  return (
    <div className={classes.form}>
      {movedOn && <p role="status">{t("world.recomputeMoved")}</p>}
      <p className={classes.facts}>{t("world.recomputed")}</p>
      <Changes changes={changes} />
      <div className={classes.buttons}>
        <Button
          variant="filled"
          loading={apply.isPending}
          disabled={movedOn}
          onClick={() => apply.mutate()}
        >
          {t("world.apply")}
        </Button>
        <Button loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          {t("world.dismiss")}
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}

function useStep(project: string, step: () => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: step,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.ledger(project) }),
  });
}

function useReading(project: string) {
  return useQuery({
    queryKey: [...keys.ledger(project), "recompute"],
    queryFn: async () => {
      try {
        return await told(
          api.GET("/api/projects/{project_id}/recompute", {
            params: { path: { project_id: project } },
          }),
        );
      } catch (error) {
        if (asRefusal(error).code === "no_proposal") return null;
        throw error;
      }
    },
    refetchInterval: (query) => (query.state.data?.state === "reading" ? EVERY_MS : false),
  });
}
