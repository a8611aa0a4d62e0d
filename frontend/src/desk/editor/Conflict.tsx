/** A chapter that was changed here and elsewhere at the same place: both texts are shown, and whichever is
 * taken, the other is in the history. */
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { WordDiff } from "@/ui/WordDiff";
import type { Chapter } from "../chapters/files";
import { Refused } from "../Refused";
import type { Choice, OpenChapter } from "./openchapter";
import { compared } from "./spans";
import classes from "./Text.module.css";

interface ConflictProps {
  chapter: OpenChapter;
  /** What the chapter is elsewhere; `null`: gone. */
  theirs: Chapter | null;
}

export function Conflict({ chapter, theirs }: ConflictProps) {
  const { t } = useTranslation();
  const settling = useMutation({ mutationFn: (choice: Choice) => chapter.settle(choice) });
  const choices: readonly Choice[] =
    theirs === null ? ["mine", "theirs"] : ["mine", "theirs", "both"];
  const kind = theirs === null ? "gone" : "changed";
  return (
    <section className={classes.conflict} aria-label={t("desk.conflict")} role="alert">
      <p>{t(`desk.conflictOf.${kind}`)}</p>
      {theirs !== null && (
        <div className={classes.both}>
          <WordDiff diff={compared(theirs.text, chapter.text)} folded />
        </div>
      )}
      <div className={classes.buttons}>
        {choices.map((choice) => (
          <Button
            key={choice}
            loading={settling.isPending && settling.variables === choice}
            onClick={() => settling.mutate(choice)}
          >
            {t(`desk.take.${kind}.${choice}`)}
          </Button>
        ))}
      </div>
      {settling.error !== null && <Refused error={settling.error} />}
    </section>
  );
}
