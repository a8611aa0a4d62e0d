/** How one chapter differs between two states, by words; asked for when it is opened. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import { tongueOf } from "@/reading/tongue";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { WordDiff } from "@/ui/WordDiff";
import classes from "./History.module.css";
import { nameOf, shortOf, type Touched } from "./record";

interface ChapterDiffProps {
  project: string;
  chapter: Touched;
  /** The ids of the checkpoints. */
  from: string;
  to: string;
}

export function ChapterDiff(props: ChapterDiffProps) {
  const { t } = useTranslation();
  const { chapter } = props;
  const [open, setOpen] = useState(false);
  const name = shortOf(nameOf(chapter));
  return (
    <details className={classes.chapter} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={classes.kind} data-kind={chapter.kind}>
          {t(`manuscript.kind.${chapter.kind}`)}
        </span>{" "}
        <span lang={tongueOf(name) ?? undefined}>
          {chapter.kind === "renamed" && `${shortOf(chapter.was ?? "")} → `}
          {name}
        </span>
      </summary>
      {open && <Texts {...props} />}
    </details>
  );
}

function Texts({ project, chapter, from, to }: ChapterDiffProps) {
  const { t } = useTranslation();
  const before = chapter.was === null ? null : `chapter:${chapter.was}@${from}`;
  const after = chapter.name === null ? null : `chapter:${chapter.name}@${to}`;
  // Of a chapter that is only on one side both references are that side; the rest is drawn here.
  const sides = { from: before ?? after ?? "", to: after ?? before ?? "" };
  const found = useQuery({
    queryKey: [...keys.project(project), "diff", sides.from, sides.to],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/diff", {
          params: { path: { project_id: project }, query: sides },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY, // a checkpoint does not change
  });
  if (found.error !== null) {
    const binary = asRefusal(found.error).code === "not_utf8";
    return binary ? (
      <p className={classes.facts}>{t("manuscript.notText")}</p>
    ) : (
      <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
    );
  }
  if (found.data === undefined) return <Pending />;
  const diff =
    before !== null && after !== null ? found.data : oneSided(found.data, before === null);
  return (
    <div className={classes.diff} lang={tongueOf(diff.to.text || diff.from.text) ?? undefined}>
      <WordDiff diff={diff} folded />
    </div>
  );
}

type Diff = Parameters<typeof WordDiff>[0]["diff"];

/** A text that came, or went, as a whole. */
function oneSided({ to: { text } }: Diff, came: boolean): Diff {
  const here = [0, text.length];
  const nowhere = [0, 0];
  return came
    ? {
        from: { text: "" },
        to: { text },
        spans: [{ kind: "inserted", from: nowhere, to: here }],
      }
    : {
        from: { text },
        to: { text: "" },
        spans: [{ kind: "deleted", from: here, to: nowhere }],
      };
}
