/** The summary that stands for old turns: what it covers, what the model had lost of it, the reader's own
 * words in its place. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { InPlace } from "../InPlace";
import classes from "../Panels.module.css";

interface SummaryProps {
  project: string;
  turn: string | null;
  fixed: boolean;
}

export function Summary({ project, turn, fixed }: SummaryProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const queryKey = [...keys.project(project), "summary"];
  const path = { project_id: project };
  const found = useQuery({
    queryKey: [...queryKey, turn],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/summary", { params: { path, query: { at: turn } } }),
      ),
  });
  const write = useMutation({
    mutationFn: (body: { text: string; node: string; revision: number }) =>
      told(api.PUT("/api/projects/{project_id}/summary", { params: { path }, body })),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  if (found.error !== null) return <ErrorNote error={found.error} />;
  const summary = found.data;
  if (summary === undefined || summary.text === "" || summary.node === null) return null;
  const { node, revision } = summary;
  return (
    <details className={classes.details}>
      <summary>{t("memory.summary", { turns: summary.turns, live: summary.live })}</summary>
      <InPlace
        id={`${project}.summary`}
        label={t("memory.text")}
        value={summary.text}
        fixed={fixed}
        save={(text) => write.mutateAsync({ text, node, revision })}
      />
      {summary.missing.length > 0 && (
        <p className={classes.facts}>
          {t("memory.missing", { names: summary.missing.join(t("world.comma")) })}
        </p>
      )}
    </details>
  );
}
