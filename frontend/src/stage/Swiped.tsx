/** The latest reply under a finger: a swipe pages its variants. Past the last comes a card with a button;
 * a gesture alone never spends money. */
import { Button } from "@mantine/core";
import { type PointerEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PathItem } from "@/api/types";
import { useEditing } from "./edits";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { down, IDLE, moved, paged, type Swipe } from "./swipe";
import { useShowVariant } from "./useShowVariant";
import { useVariant } from "./verbs";

export function Swiped({ item, children }: { item: PathItem; children: ReactNode }) {
  const { t } = useTranslation();
  const { busy } = useStage();
  const { at, all, show } = useShowVariant(item);
  const variant = useVariant();
  const editing = useEditing();
  // Events come faster than drawings: what counts is the latest, drawn or not.
  const swipe = useRef<Swipe>(IDLE);
  const [by, setBy] = useState(0);
  const follow = (next: Swipe) => {
    swipe.current = next;
    setBy(next.phase === "across" ? next.by * 0.25 : 0);
  };
  const [past, setPast] = useState(false);
  const place = (event: PointerEvent) => ({ x: event.clientX, y: event.clientY });

  const begin = (event: PointerEvent) => {
    if (event.pointerType !== "touch" || busy || editing) return;
    const selecting = document.getSelection()?.isCollapsed === false;
    follow(down(place(event), window.innerWidth, selecting));
  };
  const end = () => {
    const step = paged(swipe.current);
    follow(IDLE);
    if (step === -1 && past) setPast(false);
    else if (step === -1) show(at - 1);
    else if (step === 1 && at < all.length - 1) show(at + 1);
    else if (step === 1) setPast(item.kind === "turn");
  };
  return (
    <div
      className={classes.swiped}
      style={by === 0 ? undefined : { transform: `translateX(${by}px)` }}
      onPointerDown={begin}
      onPointerMove={(event) => {
        if (swipe.current.phase !== "idle") follow(moved(swipe.current, place(event)));
      }}
      onPointerUp={end}
      onPointerCancel={() => follow(IDLE)}
    >
      {children}
      {past && (
        <div className={classes.unfinished}>
          <p className={classes.happened}>{t("stage.pastLast")}</p>
          <div className={classes.buttons}>
            <Button
              variant="filled"
              disabled={busy}
              loading={variant.isPending}
              onClick={() => variant.mutate({ turn: item.id })}
            >
              {t("stage.another")}
            </Button>
            <Button onClick={() => setPast(false)}>{t("common.close")}</Button>
          </div>
        </div>
      )}
    </div>
  );
}
