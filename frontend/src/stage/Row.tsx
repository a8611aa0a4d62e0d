/** One turn in the transcript: the user's words, what was asked, the reply, and what can be done. */
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { TurnAmendment } from "@/amendments/TurnAmendment";
import type { PathItem } from "@/api/types";
import { Prose } from "@/reading/Prose";
import { Changed } from "./Changed";
import { LiveReply } from "./LiveReply";
import { ReplyBar } from "./ReplyBar";
import { ReplyText } from "./ReplyText";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { isReply, numberOf, wordsOf } from "./transcript";
import { Words } from "./Words";

export const Row = memo(function Row({ item, last }: { item: PathItem; last: boolean }) {
  const { t } = useTranslation();
  const { live } = useStage();
  const followed = live?.id === item.id;
  const heading =
    item.kind === "greeting" ? t("stage.opening") : t("stage.turn", { n: numberOf(item) });
  const name = item.title === "" ? heading : `${heading} · ${item.title}`;
  const finished = isReply(item);
  return (
    <article
      className={classes.turn}
      aria-label={name}
      aria-posinset={numberOf(item) + 1}
      aria-setsize={-1}
      data-turn={item.id}
      tabIndex={-1}
    >
      <h2 className="only-spoken">{name}</h2>
      {wordsOf(item) !== "" && <Words item={item} last={last} />}
      {item.asked.map((one) => (
        <div key={one.question} className={classes.asked}>
          <p>{one.question}</p>
          <Prose by="user" text={one.answer} />
        </div>
      ))}
      {followed ? (
        <LiveReply item={item} />
      ) : finished ? (
        <ReplyText item={item} />
      ) : (
        <Past item={item} />
      )}
      {finished && <TurnAmendment turn={item.id} />}
      {finished && item.final_text !== "" && <ReplyBar item={item} last={last} />}
    </article>
  );
});

/** What became of a turn that added no text of its own. */
function Past({ item }: { item: PathItem }) {
  const { t } = useTranslation();
  if (item.status === "revised") return <Changed item={item} />;
  return <p className={classes.facts}>{t("stage.leftOut")}</p>;
}
