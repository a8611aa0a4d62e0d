/** The reply of the turn at the end: as it grows, and as it stands when it has ended. */
import { useTranslation } from "react-i18next";
import { usePicked } from "@/api/liveturn";
import type { PathItem } from "@/api/types";
import { StoryProse } from "@/images/StoryProse";
import { withTailClosed } from "@/reading/tail";
import { Activity } from "./Activity";
import { Changed } from "./Changed";
import { ReplyText } from "./ReplyText";
import { Swiped } from "./Swiped";
import { shownText } from "./shownText";
import { useStage } from "./stage";
import { isReply, unfinished } from "./transcript";
import { UnfinishedCard } from "./UnfinishedCard";

export function LiveReply({ item }: { item: PathItem }) {
  const { t } = useTranslation();
  const { live } = useStage();
  const text = usePicked(live, shownText);
  const status = usePicked(live, (view) => view.status);
  const revises = usePicked(live, (view) => view.final?.revises ?? null);
  // Until the story is read again, the log knows better.
  const now = item.status === "running" || item.status === "waiting" ? status : item.status;
  return (
    <>
      <Activity item={item} />
      {isReply(item) ? (
        <Swiped item={item}>
          <ReplyText item={item} />
        </Swiped>
      ) : revises !== null || now === "revised" ? (
        <Changed item={item} open />
      ) : (
        text !== "" && <StoryProse text={now === "running" ? withTailClosed(text) : text} />
      )}
      {item.status === "done" && text === "" && <p>{t("stage.nothing")}</p>}
      {unfinished(now) && unfinished(item.status) && (
        <UnfinishedCard item={item} status={item.status} />
      )}
      <div data-tail="" />
    </>
  );
}
