/** Files that become chapters, behind those that are there; one import is one state of the book. */
import { Button, Checkbox } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Refusal, unreachable } from "@/api/problem";
import type { components } from "@/api/schema.gen";
import type { Project } from "@/api/types";
import { ErrorNote } from "@/ui/ErrorNote";
import { Icon } from "@/ui/icons";
import { useBookVerb, useTakeBack } from "../history/moving";
import { shortOf } from "../history/record";
import classes from "./Exchange.module.css";
import { ReportNotes } from "./ReportNotes";

type Imported = components["schemas"]["ChaptersImported"];

const ACCEPTED = ".md,.markdown,.txt,.docx,text/markdown,text/plain";

export default function ImportPanel({ project }: { project: Project }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [apart, setApart] = useState(false);
  const [over, setOver] = useState(false);
  const takeBack = useTakeBack(project.id);
  const bring = useBookVerb(project.id, async (files: readonly File[]) => {
    const done = await sent(project.id, files, apart);
    await takeBack(t("manuscript.imported", { count: done.names.length }));
    return done;
  });
  const take = (files: readonly File[]) => {
    if (files.length > 0 && !bring.isPending) bring.mutate(files);
  };
  return (
    <div className={classes.panel}>
      {/* Dropping is a second way; the button is the first. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a place for the mouse alone */}
      <div
        className={classes.drop}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take([...event.dataTransfer.files]);
        }}
      >
        <p>{t("manuscript.importHint")}</p>
        <Button
          variant="filled"
          loading={bring.isPending}
          leftSection={<Icon name="import" size={18} />}
          onClick={() => input.current?.click()}
        >
          {t("manuscript.chooseFiles")}
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={ACCEPTED}
          onChange={(event) => {
            take([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </div>
      <Checkbox
        label={t("manuscript.apart")}
        description={t("manuscript.apartHint")}
        checked={apart}
        onChange={(event) => setApart(event.currentTarget.checked)}
      />
      {bring.error !== null && <ErrorNote error={bring.error} />}
      {bring.data !== undefined && <Brought project={project.id} imported={bring.data} />}
    </div>
  );
}

function Brought({ project, imported }: { project: string; imported: Imported }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t("manuscript.report")}>
      <p role="status">{t("manuscript.imported", { count: imported.names.length })}</p>
      <ol className={classes.brought}>
        {imported.names.map((name) => (
          <li key={name}>
            <Link href={`/p/${project}/c/${encodeURIComponent(name)}`}>{shortOf(name)}</Link>
          </li>
        ))}
      </ol>
      <ReportNotes report={imported.report} />
    </section>
  );
}

/** Files as a form sends them; the client of the API makes none. */
async function sent(project: string, files: readonly File[], apart: boolean): Promise<Imported> {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  const address = `/api/projects/${project}/chapters/import?apart=${apart}`;
  let answer: Response;
  try {
    answer = await fetch(address, { method: "POST", body: form });
  } catch {
    throw unreachable();
  }
  const body: unknown = await answer.json().catch(() => ({}));
  if (answer.ok) return body as Imported; // the server describes its answers
  throw new Refusal(typeof body === "object" && body !== null ? body : {}, answer.status);
}
