/** What is said over a chapter that the turn has given another name: it keeps it, or gets the former one back. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { titleOf } from "../chapters/naming";
import { useRenameBack } from "../chapters/verbs";
import type { OpenChapter } from "../editor/openchapter";
import { Refused } from "../Refused";
import classes from "./Review.module.css";
import { keepSeen, seenOf } from "./seen";

interface RenamedBarProps {
  chapter: OpenChapter;
  /** The file name that it had. */
  was: string;
  turn: string;
  running: boolean;
}

/** A key that no change of a text has. */
const NAME = "name";

export function RenamedBar({ chapter, was, turn, running }: RenamedBarProps) {
  const { t } = useTranslation();
  const {
    files: { project },
    name,
  } = chapter;
  const [seen, setSeen] = useState(() => seenOf(project, turn, name).has(NAME));
  const back = useRenameBack();
  if (seen) return null;
  const keep = () => {
    keepSeen(project, turn, name, [NAME]);
    setSeen(true);
  };
  return (
    <section className={classes.bar} aria-label={t("desk.rename")}>
      <span>{t("desk.wasCalled", { was: titleOf(was) })}</span>
      <Button onClick={keep}>{t("desk.keep")}</Button>
      <Button
        disabled={running}
        loading={back.isPending}
        onClick={() => back.mutate({ chapter, was })}
      >
        {t("desk.putBack")}
      </Button>
      {back.error !== null && <Refused error={back.error} />}
    </section>
  );
}
