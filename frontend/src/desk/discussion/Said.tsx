/** One turn of the discussion: the author's words, what was asked, the report, the chapters it changed. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { usePicked } from "@/api/liveturn";
import { lastSpoken } from "@/api/turnview";
import type { PathItem } from "@/api/types";
import { Prose } from "@/reading/Prose";
import { withTailClosed } from "@/reading/tail";
import { Activity } from "@/stage/Activity";
import { useStage } from "@/stage/stage";
import { numberOf, unfinished, wordsOf } from "@/stage/transcript";
import { ErrorNote } from "@/ui/ErrorNote";
import { useNewChapter } from "../chapters/verbs";
import { useDesk } from "../desk";
import classes from "./Discussion.module.css";
import { TurnFiles } from "./TurnFiles";
import { Unfinished } from "./Unfinished";

interface SaidProps {
  item: PathItem;
  last: boolean;
  /** Whether it was sent from here: room is made under it. */
  sent: boolean;
}

export function Said({ item, last, sent }: SaidProps) {
  const { t } = useTranslation();
  const { project } = useDesk();
  const { live, rows } = useStage();
  const followed = live?.id === item.id;
  const spoken = usePicked(followed ? live : null, lastSpoken);
  const running = item.status === "running";
  const text = item.final_text === "" ? spoken : item.final_text;
  const n = numberOf(item);
  const status = item.status;
  return (
    <article
      className={classes.turn}
      aria-label={t("desk.turn", { n })}
      aria-posinset={rows.indexOf(item) + 1}
      aria-setsize={-1}
      data-turn={item.id}
      data-sent={(sent && last) || undefined}
      tabIndex={-1}
    >
      <h2 className="only-spoken">{t("desk.turn", { n })}</h2>
      {wordsOf(item) !== "" && <Prose by="user" text={wordsOf(item)} />}
      {item.asked.map((one) => (
        <div key={one.question} className={classes.asked}>
          <p>{one.question}</p>
          <Prose by="user" text={one.answer} />
        </div>
      ))}
      {followed && <Activity item={item} />}
      {text !== "" && (
        <div className={classes.report}>
          <Prose text={running ? withTailClosed(text) : text} />
        </div>
      )}
      {followed && unfinished(status) && <Unfinished item={item} status={status} />}
      {!followed && unfinished(status) && (
        <p className={classes.facts}>{t(`stage.is.${status}`)}</p>
      )}
      <TurnFiles turn={item.id} followed={followed} />
      {item.final_text.length > LONG && <IntoChapter item={item} language={project.language} />}
      {last && <div data-tail="" />}
    </article>
  );
}

/** From how many units on a report may be prose that went astray. */
const LONG = 300;

/** Prose that was written into the discussion becomes a chapter when the author says so. */
function IntoChapter({ item, language }: { item: PathItem; language: string }) {
  const { t } = useTranslation();
  const make = useNewChapter();
  const title = language === "zh" ? "新章" : "New chapter";
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        loading={make.isPending}
        onClick={() => make.mutate({ title, text: `${item.final_text.trimEnd()}\n` })}
      >
        {t("desk.intoChapter")}
      </Button>
      {make.error !== null && <ErrorNote error={make.error} />}
    </>
  );
}
