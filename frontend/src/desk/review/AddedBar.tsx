/** What is said over a chapter that the turn has made: it is kept as it is, or taken out again. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteChapter } from "../chapters/verbs";
import type { OpenChapter } from "../editor/openchapter";
import { Refused } from "../Refused";
import classes from "./Review.module.css";
import { keepSeen, seenOf } from "./seen";

interface AddedBarProps {
  chapter: OpenChapter;
  turn: string;
  running: boolean;
}

export function AddedBar({ chapter, turn, running }: AddedBarProps) {
  const { t } = useTranslation();
  const {
    files: { project },
    name,
  } = chapter;
  const [seen, setSeen] = useState(() => seenOf(project, turn, name).has("*"));
  const remove = useDeleteChapter();
  if (seen) return null;
  const keep = () => {
    keepSeen(project, turn, name, ["*"]);
    setSeen(true);
  };
  return (
    <section className={classes.bar} aria-label={t("desk.review")}>
      <span>{t("desk.madeByTurn")}</span>
      <Button onClick={keep}>{t("desk.keep")}</Button>
      <Button
        disabled={running}
        loading={remove.isPending}
        onClick={() => remove.mutate({ name, hash: chapter.hash.get() })}
      >
        {t("desk.putBack")}
      </Button>
      {remove.error !== null && <Refused error={remove.error} />}
    </section>
  );
}
