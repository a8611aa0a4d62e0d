/** A story that was not played here has no ledger: what reading it would take, then the reading. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "../Panels.module.css";

const EVERY_MS = 2000;
/** So many turns are not caught up with by the next run. */
const MANY = 3;

export function Building({ project, behind }: { project: string; behind: number }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const params = { path: { project_id: project } };
  const built = useBuilt(project);
  const ask = useMutation({
    mutationFn: () => told(api.GET("/api/projects/{project_id}/build/estimate", { params })),
  });
  const start = useMutation({
    mutationFn: () => told(api.POST("/api/projects/{project_id}/build", { params })),
    onSuccess: () => ask.reset(),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.ledger(project) }),
  });
  const error = ask.error ?? start.error;
  const running = built.data?.state === "running";
  if (running) {
    return (
      <div className={classes.notice} role="status">
        <p>{t("world.building", { done: built.data?.done, total: built.data?.turns })}</p>
      </div>
    );
  }
  if (behind <= MANY) return null;
  const cost = ask.data?.cost;
  return (
    <div className={classes.form}>
      {ask.data === undefined ? (
        <Button loading={ask.isPending} onClick={() => ask.mutate()}>
          {t("world.estimate")}
        </Button>
      ) : (
        <>
          <p className={classes.facts}>
            {t("world.estimated", {
              turns: ask.data.turns,
              model: ask.data.model,
              tokens: (ask.data.prompt_tokens + ask.data.completion_tokens).toLocaleString(),
            })}{" "}
            {cost == null ? t("world.noPrice") : `${cost.amount.toFixed(4)} ${cost.currency}`}
          </p>
          <div className={classes.buttons}>
            <Button loading={start.isPending} onClick={() => start.mutate()}>
              {t("world.build")}
            </Button>
            <Button variant="subtle" onClick={() => ask.reset()}>
              {t("common.cancel")}
            </Button>
          </div>
        </>
      )}
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}

function useBuilt(project: string) {
  return useQuery({
    queryKey: [...keys.ledger(project), "build"],
    queryFn: async () => {
      try {
        return await told(
          api.GET("/api/projects/{project_id}/build", {
            params: { path: { project_id: project } },
          }),
        );
      } catch (error) {
        if (asRefusal(error).code === "not_built") return null;
        throw error;
      }
    },
    refetchInterval: (query) => (query.state.data?.state === "running" ? EVERY_MS : false),
  });
}
