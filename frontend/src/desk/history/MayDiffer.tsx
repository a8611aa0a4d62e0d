/** After an earlier text was restored: the ledger may not be what the chapters say, and the way to have it read
 * again. A line on top, never a dialog. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./History.module.css";
import { useBookVerb } from "./moving";
import { shortOf } from "./record";

export function MayDiffer({ project }: { project: string }) {
  const { t } = useTranslation();
  const path = { params: { path: { project_id: project } } };
  const care = useQuery({
    queryKey: [...keys.project(project), "care"],
    queryFn: () => told(api.GET("/api/projects/{project_id}/care", path)),
  });
  const read = useBookVerb(project, () =>
    told(api.POST("/api/projects/{project_id}/care", { ...path, body: { chapters: [] } })),
  );
  if (care.data === undefined || !care.data.restored || !care.data.may_differ) return null;
  const names = care.data.changed.map(shortOf).join(t("manuscript.comma"));
  return (
    <div className={classes.notice} role="status">
      <p>
        {care.data.reading ? t("manuscript.readingAgain") : t("manuscript.mayDiffer", { names })}
      </p>
      {!care.data.reading && (
        <Button loading={read.isPending} onClick={() => read.mutate()}>
          {t("world.recompute")}
        </Button>
      )}
      {read.error !== null && <ErrorNote error={read.error} />}
    </div>
  );
}
