/** The text of the open chapter: what it is called and how it is saved, the review, the editor. */

import type { EditorView } from "@codemirror/view";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { asRefusal } from "@/api/problem";
import { useParam } from "@/app/param";
import { Empty } from "@/ui/Empty";
import { IconButton } from "@/ui/IconButton";
import { Pending } from "@/ui/Pending";
import { makeStore } from "@/ui/store";
import { useWide } from "@/ui/useWide";
import { NewChapter } from "../chapters/NewChapter";
import { titleOf } from "../chapters/naming";
import { useDesk } from "../desk";
import { Refused } from "../Refused";
import { AddedBar } from "../review/AddedBar";
import { NOTHING, type Reviewed } from "../review/field";
import { RenamedBar } from "../review/RenamedBar";
import { ReviewBar, ReviewFoot, type Seeing } from "../review/ReviewBar";
import { actsOn, useFileDiff, useReview } from "../review/useReview";
import { useTint } from "../review/useTint";
import { Strip } from "../Strip";
import { Conflict } from "./Conflict";
import { Editor } from "./Editor";
import type { OpenChapter } from "./openchapter";
import { Saved } from "./Saved";
import classes from "./Text.module.css";
import { useKeptUp, useOpenChapter } from "./useOpenChapter";

export function TextPane() {
  const { t } = useTranslation();
  const { project, chapter } = useDesk();
  const wide = useWide();
  const [focus] = useParam("focus");
  return (
    <section className={classes.pane} aria-label={t("desk.part.text")}>
      {chapter === null ? (
        <Empty text={t("desk.noChapters")}>
          <NewChapter />
        </Empty>
      ) : (
        <Opened key={`${project.id}/${chapter}`} name={chapter} />
      )}
      {wide && focus === null && <Strip />}
    </section>
  );
}

function Opened({ name }: { name: string }) {
  const { project } = useDesk();
  const { chapter, error, again } = useOpenChapter(project.id, name);
  if (chapter !== null) return <Written chapter={chapter} />;
  if (error === null) return <Pending />;
  if (asRefusal(error).code !== "chapter_not_found")
    return <Refused error={error} onRetry={again} />;
  return <NoSuch name={name} />;
}

function NoSuch({ name }: { name: string }) {
  const { t } = useTranslation();
  const { hrefOf, reviewed } = useDesk();
  const now = reviewed.files.find((one) => one.was === name)?.name;
  if (now !== undefined) {
    return (
      <Empty text={t("desk.renamedTo", { name: titleOf(now) })}>
        <Button component={Link} href={`${hrefOf(now)}?review=${reviewed.turn}`}>
          {t("desk.openIt")}
        </Button>
      </Empty>
    );
  }
  return (
    <Empty text={t("desk.noSuchChapter", { name: titleOf(name) })}>
      <Button component={Link} href={hrefOf(null)}>
        {t("desk.toFirst")}
      </Button>
    </Empty>
  );
}

function Written({ chapter }: { chapter: OpenChapter }) {
  const { t } = useTranslation();
  const { project, reviewed } = useDesk();
  const [view, setView] = useState<EditorView | null>(null);
  const [store] = useState(() => makeStore<Reviewed>(NOTHING));
  const [seeing, setSeeing] = useState<Seeing>("changes");
  const wide = useWide();
  const now = store.use();
  const { current, gone } = useKeptUp(chapter);
  const saving = chapter.saving.use();
  const { turn, files, running } = reviewed;
  const change = files.find((one) => one.name === chapter.name) ?? null;
  const [tinted, setTinted] = useState(false);
  useTint(chapter, view, tinted);
  useReview({ chapter, view, change, turn, current });
  const old = useFileDiff(project.id, change).data?.from.text ?? null;
  const acts = view === null || turn === null ? null : actsOn(view, chapter, turn);
  const review =
    acts === null || now.changes.length === 0 ? null : { reviewed: now, acts, running };
  const before = seeing === "before" && now.changes.length > 0 && old !== null;
  if (gone) return <NoSuch name={chapter.name} />;
  return (
    <>
      <header className={classes.head}>
        <h2 className={classes.name} lang={project.language}>
          {titleOf(chapter.name)}
        </h2>
        {tinted && <span className={classes.saved}>{t("desk.tinted")}</span>}
        <Saved saving={saving} onRetry={() => void chapter.save()} />
        <IconButton
          icon="people"
          size={wide ? 36 : 44}
          label={t("desk.whoWrote")}
          pressed={tinted}
          onClick={() => setTinted(!tinted)}
        />
      </header>
      {saving.kind === "conflict" && <Conflict chapter={chapter} theirs={saving.theirs} />}
      {review !== null && (
        <ReviewBar
          {...review}
          seeing={seeing}
          see={(way) => {
            setSeeing(way);
            review.acts.draw(way === "changes");
          }}
        />
      )}
      {change?.before === null && turn !== null && (
        <AddedBar key={turn} chapter={chapter} turn={turn} running={running} />
      )}
      {change !== null && change.was !== null && turn !== null && (
        <RenamedBar
          key={`${turn} name`}
          chapter={chapter}
          was={change.was}
          turn={turn}
          running={running}
        />
      )}
      {before && (
        <div className={`prose ${classes.before}`} lang={project.language}>
          {old}
        </div>
      )}
      <div className={classes.around} hidden={before}>
        <Editor
          chapter={chapter}
          language={project.language}
          onView={setView}
          onReview={store.set}
        />
      </div>
      {review !== null && !wide && <ReviewFoot {...review} />}
    </>
  );
}
