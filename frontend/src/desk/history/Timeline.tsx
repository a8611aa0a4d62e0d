/** The history of the book: every state that it was in, newest first, and the ways back to them. */
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import type { Project } from "@/api/types";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { Conflicted } from "./Conflicted";
import { useCheckpoints } from "./checkpoints";
import { Entry } from "./Entry";
import classes from "./History.module.css";
import { MayDiffer } from "./MayDiffer";
import { useBookVerb, useRedo, useUndo } from "./moving";

export default function Timeline({ project }: { project: Project }) {
  const { t } = useTranslation();
  const found = useCheckpoints(project.id);
  const [open, setOpen] = useState<string | null>(null);
  const { items } = found;
  return (
    <div className={classes.panel}>
      <MayDiffer project={project.id} />
      <NameNow project={project.id} />
      <BackAndForth project={project} />
      {found.error !== null && (
        <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
      )}
      {found.isPending && <Pending />}
      {found.isSuccess && items.length === 0 && <Empty text={t("manuscript.noHistory")} />}
      <ol className={classes.timeline}>
        {items.map((one, at) => (
          <Entry
            key={one.id}
            project={project}
            checkpoint={one}
            before={items[at + 1] ?? null}
            newest={items[0] ?? one}
            open={open === one.id}
            onOpen={() => {
              setOpen(open === one.id ? null : one.id);
              if (at === items.length - 1 && found.hasNextPage) void found.fetchNextPage();
            }}
          />
        ))}
      </ol>
      {found.hasNextPage && (
        <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {t("manuscript.earlier")}
        </Button>
      )}
    </div>
  );
}

/** A checkpoint by hand, under a name. */
function NameNow({ project }: { project: string }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const make = useBookVerb(project, async () => {
    const path = { project_id: project };
    await told(
      api.POST("/api/projects/{project_id}/checkpoints", {
        params: { path },
        body: { name: name.trim() },
      }),
    );
    setName("");
  });
  return (
    <form
      className={classes.naming}
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <TextInput
        label={t("manuscript.nameNow")}
        placeholder={t("manuscript.namePlaceholder")}
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" loading={make.isPending}>
        {t("manuscript.keep")}
      </Button>
      {make.error !== null && <ErrorNote error={make.error} />}
    </form>
  );
}

/** The last turn with all that it changed. */
function BackAndForth({ project }: { project: Project }) {
  const { t } = useTranslation();
  const undo = useUndo(project.id);
  const redo = useRedo(project.id);
  const busy = project.active !== null;
  const failed = [undo, redo].find((one) => one.error !== null);
  return (
    <>
      <div className={classes.actions}>
        <Button disabled={busy} loading={undo.isPending} onClick={() => undo.mutate(false)}>
          {t("manuscript.undoTurn")}
        </Button>
        <Button disabled={busy} loading={redo.isPending} onClick={() => redo.mutate(false)}>
          {t("common.redo")}
        </Button>
      </div>
      {busy && <p className={classes.facts}>{t("manuscript.whileRunning")}</p>}
      {failed !== undefined && (
        <Conflicted
          error={failed.error}
          pending={failed.isPending}
          onForce={() => failed.mutate(true)}
        />
      )}
    </>
  );
}
