/** One note: edited where it stands, locked against models, removed and brought back, its versions. */
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { Prose } from "@/reading/Prose";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { Pending } from "@/ui/Pending";
import { dayOf } from "@/ui/times";
import { WordDiff } from "@/ui/WordDiff";
import { InPlace } from "../InPlace";
import classes from "../Panels.module.css";
import { type Note, useChange } from "./notes";

interface NoteRowProps {
  note: Note;
  project: string;
  at: string;
  fixed: boolean;
}

export function NoteRow({ note, project, at, fixed }: NoteRowProps) {
  const { t } = useTranslation();
  const change = useChange(project, at, note);
  const still = fixed || note.removed;
  // Each change names the version that it was made on: the next one waits until that is on the page.
  const name = note.title || t(`memory.kinds.${note.kind}`);
  return (
    <li>
      <div className={classes.head}>
        <h3>{name}</h3>
        {!still && (
          <>
            <IconButton
              icon={note.locked ? "lock" : "unlock"}
              label={t(note.locked ? "world.unlock" : "world.lock", { name })}
              pressed={note.locked}
              disabled={change.isPending}
              onClick={() => change.mutate({ locked: !note.locked })}
            />
            <IconButton
              icon="trash"
              label={t("memory.remove", { name })}
              disabled={change.isPending}
              onClick={() => change.mutate({ removed: true })}
            />
          </>
        )}
        {note.removed && !fixed && (
          <Button disabled={change.isPending} onClick={() => change.mutate({ removed: false })}>
            {t("memory.back")}
          </Button>
        )}
      </div>
      {!still && note.source === "store" && (
        <InPlace
          id={`${project}.note.${note.id}.title`}
          label={t("memory.title")}
          value={note.title}
          save={(title) => change.mutateAsync({ title })}
        />
      )}
      <InPlace
        id={`${project}.note.${note.id}`}
        label={t("memory.text")}
        value={note.text}
        fixed={still}
        save={(text) => change.mutateAsync({ text })}
      >
        {note.text === "" ? undefined : (
          <div className={classes.prose}>
            <Prose text={underHeading(note.text)} />
          </div>
        )}
      </InPlace>
      <p className={classes.facts}>
        {t(`memory.sources.${note.source}`)} · {t(`memory.kinds.${note.kind}`)} ·{" "}
        {t(`memory.by.${note.author}`)} · {dayOf(note.written_at)}
        {note.turn !== null && note.project === project && (
          <>
            {" · "}
            <Link href={`/p/${project}/t/${note.turn}?panel=memory`}>{t("world.toTurn")}</Link>
          </>
        )}
      </p>
      {change.error !== null && <ErrorNote error={change.error} />}
      {note.version > 1 && <Versions note={note} project={project} at={at} />}
    </li>
  );
}

/** A note stands under a heading already: its own are bold words. */
function underHeading(text: string): string {
  return text.replace(/^#{1,6}[ \t]+(.+)$/gm, "**$1**");
}

function Versions({ note, project, at }: Omit<NoteRowProps, "fixed">) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("world.history")}</summary>
      {open && <VersionList note={note} project={project} at={at} />}
    </details>
  );
}

function VersionList({ note, project, at }: Omit<NoteRowProps, "fixed">) {
  const { t } = useTranslation();
  const found = useInfiniteQuery({
    queryKey: [...keys.project(project), "memory", "versions", note.id, note.version],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/memory/{note_id}/versions", {
          params: { path: { note_id: note.id }, query: { at, after: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined, // the first page has no cursor
    getNextPageParam: (page) => page.next ?? undefined,
  });
  if (found.error !== null) return <ErrorNote error={found.error} />;
  if (found.data === undefined) return <Pending />;
  const items = found.data.pages.flatMap((page) => page.items);
  const textOf = (version: number) => items.find((one) => one.version === version)?.text ?? "";
  return (
    <>
      <ol className={classes.list}>
        {items.map((one) => (
          <li key={one.version}>
            <p className={classes.facts}>
              {one.version} · {t(`memory.by.${one.author}`)} · {dayOf(one.written_at)}
              {one.proposed && ` · ${t("memory.wasProposed")}`}
              {!one.on_branch && ` · ${t("memory.elsewhere")}`}
            </p>
            {one.spans === null || textOf(one.base) === "" ? (
              <p className={classes.text}>{one.text}</p>
            ) : (
              <WordDiff
                folded
                diff={{
                  from: { text: textOf(one.base) },
                  to: { text: one.text },
                  spans: one.spans,
                }}
              />
            )}
          </li>
        ))}
      </ol>
      {found.hasNextPage && (
        <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {t("common.more")}
        </Button>
      )}
    </>
  );
}
