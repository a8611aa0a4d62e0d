/** The whole book as one file, as it is now or as it was. */
import { Button, Radio } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { Project } from "@/api/types";
import { useParam } from "@/app/param";
import { ErrorNote } from "@/ui/ErrorNote";
import { Icon } from "@/ui/icons";
import { labelOf } from "../history/record";
import classes from "./Exchange.module.css";
import { ReportNotes } from "./ReportNotes";

const FORMS = ["md", "epub", "docx", "txt"] as const;
type Form = (typeof FORMS)[number];

export default function ExportPanel({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [at] = useParam("at");
  const [form, setForm] = useState<Form>("md");
  const query = { to: form, ...(at !== null && { at }) };
  const report = useQuery({
    queryKey: [...keys.project(project.id), "export", form, at],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/manuscript/report", {
          params: { path: { project_id: project.id }, query },
        }),
      ),
  });
  const href = `/api/projects/${project.id}/manuscript?${new URLSearchParams(query)}`;
  return (
    <div className={classes.panel}>
      {at !== null && <AsItWas project={project.id} at={at} />}
      <Radio.Group
        label={t("manuscript.form")}
        value={form}
        onChange={(value) => setForm(FORMS.find((one) => one === value) ?? "md")}
      >
        <div className={classes.choices}>
          {FORMS.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`manuscript.forms.${one}`)}
              description={t(`manuscript.formHints.${one}`)}
            />
          ))}
        </div>
      </Radio.Group>
      {report.error !== null && <ErrorNote error={report.error} />}
      {report.data !== undefined && <ReportNotes report={report.data} />}
      <Button
        component="a"
        href={href}
        download
        variant="filled"
        leftSection={<Icon name="export" size={18} />}
      >
        {t("manuscript.download")}
      </Button>
    </div>
  );
}

/** Which earlier state leaves, and the way to the present one. */
function AsItWas({ project, at }: { project: string; at: string }) {
  const { t } = useTranslation();
  const [, setAt] = useParam("at");
  const known = useQuery({
    queryKey: [...keys.project(project), "checkpoint", at],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/checkpoints/{checkpoint_id}", {
          params: { path: { project_id: project, checkpoint_id: at } },
        }),
      ),
  });
  return (
    <div className={classes.notice}>
      <p>
        {t("manuscript.asItWas", { name: known.data === undefined ? "" : labelOf(known.data) })}
      </p>
      <Button onClick={() => setAt(null)}>{t("manuscript.asItIs")}</Button>
    </div>
  );
}
