/** One state of the book in its timeline: who made it and what it changed; opened, what can be done with it. */
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import type { Project } from "@/api/types";
import { tongueOf } from "@/reading/tongue";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { openComparison, openExport } from "./address";
import type { Checkpoint } from "./checkpoints";
import classes from "./History.module.css";
import { useBookVerb } from "./moving";
import { Chapters, Restoring } from "./Restoring";
import { makerOf, momentOf, nameOf, shortOf, touched } from "./record";

interface EntryProps {
  project: Project;
  checkpoint: Checkpoint;
  /** The state before it, where that is known yet. */
  before: Checkpoint | null;
  newest: Checkpoint;
  open: boolean;
  onOpen: () => void;
}

export function Entry(props: EntryProps) {
  const { checkpoint: one, open, onOpen } = props;
  return (
    <li
      className={classes.entry}
      data-maker={makerOf(one)}
      data-named={one.name !== "" || undefined}
    >
      <button type="button" className={classes.head} aria-expanded={open} onClick={onOpen}>
        <Head checkpoint={one} />
      </button>
      {open && <Opened {...props} />}
    </li>
  );
}

function Head({ checkpoint: one }: { checkpoint: Checkpoint }) {
  const { t } = useTranslation();
  const changes = touched(one.changed);
  const shown = changes.slice(0, 3).map((change) => shortOf(nameOf(change)));
  const facts = [
    t(`manuscript.maker.${makerOf(one)}`),
    one.cause !== null && one.cause !== "found" && one.cause !== "turn"
      ? t(`manuscript.cause.${one.cause}`)
      : "",
    one.aborted ? t("manuscript.aborted") : "",
    momentOf(one),
  ].filter(Boolean);
  const names = shown.join(t("manuscript.comma"));
  return (
    <>
      {one.name !== "" && (
        <strong className={classes.name} lang={tongueOf(one.name) ?? undefined}>
          {one.name}
        </strong>
      )}
      <span className={classes.facts}>{facts.join(" · ")}</span>
      {one.message !== "" && one.cause !== "restored" && (
        <span className={classes.said} lang={tongueOf(one.message) ?? undefined}>
          {one.message}
        </span>
      )}
      <span className={classes.names}>
        {changes.length === 0 && t("manuscript.unchanged")}
        {changes.length > 3 ? t("manuscript.namesMore", { names, n: changes.length - 3 }) : names}
      </span>
    </>
  );
}

type Doing = "restore" | "undo" | "name" | null;

function Opened({ project, checkpoint: one, before, newest }: EntryProps) {
  const [doing, setDoing] = useState<Doing>(null);
  const close = () => setDoing(null);
  useEscape(doing !== null, close);
  if (doing === "restore" || doing === "undo") {
    return (
      <div className={classes.opened}>
        <Restoring
          project={project}
          checkpoint={one}
          newest={newest}
          whole={doing === "undo"}
          onClose={close}
        />
      </div>
    );
  }
  return (
    <div className={classes.opened}>
      <Actions checkpoint={one} isNow={one.id === newest.id} onDo={setDoing} />
      {doing === "name" && <Naming project={project.id} checkpoint={one} onDone={close} />}
      {before !== null && (
        <Chapters
          project={project.id}
          changes={touched(one.changed)}
          from={before.id}
          to={one.id}
        />
      )}
    </div>
  );
}

interface ActionsProps {
  checkpoint: Checkpoint;
  isNow: boolean;
  onDo: (what: Doing) => void;
}

function Actions({ checkpoint: one, isNow, onDo }: ActionsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.actions}>
      {!isNow && (
        <Button size="xs" onClick={() => openComparison(one.id, null)}>
          {t("manuscript.compareNow")}
        </Button>
      )}
      {!isNow && (
        <Button size="xs" onClick={() => onDo("restore")}>
          {t("manuscript.restore")}
        </Button>
      )}
      {one.turn !== null && (
        <Button size="xs" onClick={() => onDo("undo")}>
          {t("manuscript.undoThis")}
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={() => onDo("name")}>
        {t("manuscript.rename")}
      </Button>
      <Button size="xs" variant="subtle" onClick={() => openExport(one.id)}>
        {t("manuscript.exportThis")}
      </Button>
    </div>
  );
}

interface NamingProps {
  project: string;
  checkpoint: Checkpoint;
  onDone: () => void;
}

function Naming({ project, checkpoint, onDone }: NamingProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(checkpoint.name);
  const path = { project_id: project, checkpoint_id: checkpoint.id };
  const save = useBookVerb(project, async () => {
    await told(
      api.PATCH("/api/projects/{project_id}/checkpoints/{checkpoint_id}", {
        params: { path },
        body: { name: name.trim() },
      }),
    );
    onDone();
  });
  return (
    <form
      className={classes.naming}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        label={t("manuscript.rename")}
        description={t("manuscript.renameHint")}
        autoFocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" loading={save.isPending}>
        {t("common.save")}
      </Button>
      {save.error !== null && <ErrorNote error={save.error} />}
    </form>
  );
}
