/** The bar over a text whose changes are looked at: which of how many, keep and put back, and three ways to
 * see them. */
import { Button, Menu, SegmentedControl } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { composing } from "@/ui/composing";
import { IconButton } from "@/ui/IconButton";
import { useWide } from "@/ui/useWide";
import { paragraphOf } from "./changes";
import type { Reviewed } from "./field";
import classes from "./Review.module.css";
import type { ReviewActs } from "./useReview";

export type Seeing = "changes" | "result" | "before";

interface ReviewProps {
  reviewed: Reviewed;
  acts: ReviewActs;
  /** While the turn runs its changes cannot be put back. */
  running: boolean;
}

interface ReviewBarProps extends ReviewProps {
  seeing: Seeing;
  see: (way: Seeing) => void;
}

export function ReviewBar({ seeing, see, ...review }: ReviewBarProps) {
  const { t } = useTranslation();
  const wide = useWide();
  const { reviewed, acts } = review;
  const { changes, current } = reviewed;
  useReviewKeys({ selected: acts.selected, ...settling(review, wide) });
  return (
    <section className={classes.bar} aria-label={t("desk.review")}>
      <span className={classes.count}>
        {t("desk.changeOf", { n: current + 1, all: changes.length })}
      </span>
      {wide && <Settling {...review} />}
      <SegmentedControl
        className={classes.ways}
        size={wide ? "xs" : "sm"}
        aria-label={t("desk.seeing")}
        value={seeing}
        onChange={(way) => see(way as Seeing)} // the values are those below
        data={(["changes", "result", "before"] as const).map((value) => ({
          value,
          label: t(`desk.see.${value}`),
        }))}
      />
      {review.running && <p className={classes.hint}>{t("desk.whileRunning")}</p>}
    </section>
  );
}

/** The ways on, keep and put back, where the thumb reaches them. */
export function ReviewFoot(review: ReviewProps) {
  return (
    <div className={classes.foot}>
      <Settling {...review} />
    </div>
  );
}

function Settling(review: ReviewProps) {
  const { t } = useTranslation();
  const wide = useWide();
  const { acts, running } = review;
  const { changes, current } = review.reviewed;
  const paragraph = paragraphOf(changes, current);
  const all = changes.map((_, at) => at);
  const { next, keep, putBack } = settling(review, wide);
  const size = wide ? 36 : 44;
  return (
    <>
      <IconButton icon="up" size={size} label={t("desk.previousChange")} onClick={() => next(-1)} />
      <IconButton icon="down" size={size} label={t("desk.nextChange")} onClick={() => next(1)} />
      <Button onClick={keep}>{t("desk.keep")}</Button>
      <Button onClick={putBack} disabled={running}>
        {t("desk.putBack")}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <IconButton icon="more" size={size} label={t("desk.moreOfReview")} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => acts.keep(paragraph)}>{t("desk.keepParagraph")}</Menu.Item>
          <Menu.Item disabled={running} onClick={() => acts.putBack(paragraph)}>
            {t("desk.putBackParagraph")}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => acts.keep(all)}>{t("desk.keepAll")}</Menu.Item>
          <Menu.Item disabled={running} onClick={() => acts.putBack(all)}>
            {t("desk.putBackAll")}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={acts.fold}>{t("desk.fold")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** `wide`: going on to a change takes the focus to the text; a finger would get its keyboard. */
function settling({ reviewed, acts, running }: ReviewProps, wide: boolean) {
  const { changes, current } = reviewed;
  return {
    next: (by: number) => acts.goTo((current + by + changes.length) % changes.length, wide),
    keep: () => acts.keep([current]),
    putBack: () => !running && acts.putBack([current]),
  };
}

interface Keys {
  next: (by: number) => void;
  keep: () => void;
  putBack: () => void;
  selected: () => boolean;
}

/** F7 goes on, Ctrl+Enter keeps, Ctrl+Backspace puts back: the last two where the change is selected, as
 * F7 leaves it, so that they do in the text what they always do elsewhere. */
function useReviewKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (composing(event)) return;
      const act = actOf(event, latest.current);
      if (act === null) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  }, []);
}

function actOf(event: KeyboardEvent, keys: Keys): (() => void) | null {
  if (event.key === "F7") return () => keys.next(event.shiftKey ? -1 : 1);
  const inBox =
    event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
  if (inBox || !(event.ctrlKey || event.metaKey)) return null;
  const inText = event.target instanceof HTMLElement && event.target.isContentEditable;
  if (inText && !keys.selected()) return null;
  if (event.key === "Enter") return keys.keep;
  if (event.key === "Backspace") return keys.putBack;
  return null;
}
