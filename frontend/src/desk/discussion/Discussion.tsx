/** The discussion: what the author says about the book, and what the model reports; never prose. The box, the
 * ask card and the activity line are the stage's. */
import { Button } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Foot } from "@/stage/Foot";
import { NewBelow } from "@/stage/NewBelow";
import { Queued } from "@/stage/Queued";
import { useStage } from "@/stage/stage";
import { useTranscript } from "@/stage/useTranscript";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import classes from "./Discussion.module.css";
import { Said } from "./Said";

/** `box`: the box stands under it; on a narrow window it stands under whatever is shown. */
export function Discussion({ box }: { box: boolean }) {
  const { t } = useTranslation();
  const { project, rows, busy, sent } = useStage();
  const transcript = useTranscript(project.id);
  const scroller = useRef<HTMLDivElement>(null);
  const read = transcript.data !== undefined;
  const turns = rows.filter((row) => row.kind === "turn");

  // The end is shown when the discussion is opened; afterwards the view moves only for words that are sent.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (read && box !== null) box.scrollTop = box.scrollHeight;
  }, [read]);
  const last = turns.at(-1)?.id;
  useEffect(() => {
    if (sent === null || last !== sent) return;
    const row = scroller.current?.querySelector(`[data-turn="${CSS.escape(sent)}"]`);
    row?.scrollIntoView({ block: "start" });
  }, [sent, last]);

  return (
    <section className={classes.pane} aria-label={t("desk.part.discussion")}>
      <div className={classes.around}>
        <div ref={scroller} className={classes.scroller}>
          {transcript.error !== null && (
            <ErrorNote error={transcript.error} onRetry={() => void transcript.refetch()} />
          )}
          {!read && transcript.error === null && <Pending />}
          {transcript.data?.older != null && (
            <Button variant="subtle" onClick={() => void transcript.readOlder()}>
              {t("desk.earlier")}
            </Button>
          )}
          {turns.length > 0 && (
            <div
              role="feed"
              aria-label={t("desk.part.discussion")}
              aria-busy={busy}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
              tabIndex={0}
            >
              {turns.map((item) => (
                <Said key={item.id} item={item} last={item.id === last} sent={item.id === sent} />
              ))}
            </div>
          )}
          {read && turns.length === 0 && <p className={classes.facts}>{t("desk.sayFirst")}</p>}
          <Queued />
        </div>
        <NewBelow scroller={scroller} />
      </div>
      {box && <Foot />}
    </section>
  );
}
