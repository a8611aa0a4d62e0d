/** One move: how far it has come, and its report once it is over. */
import { Progress } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { MoveReport } from "./MoveReport";
import classes from "./Moving.module.css";
import { isOver, type MoveShown } from "./types";
import { useMove } from "./useMove";

export function Move({ id }: { id: string }) {
  const { t } = useTranslation("moving");
  const move = useMove(id);
  return (
    <div className={classes.room}>
      {move.isPending && <Pending />}
      {move.error !== null && <ErrorNote error={move.error} onRetry={() => void move.refetch()} />}
      {move.data !== undefined && <HowFar move={move.data} />}
      {move.data !== undefined && isOver(move.data.state) && (
        <>
          <MoveReport id={id} files={move.data.done} />
          <p>
            <Link href="/library/move">{t("again")}</Link>
          </p>
        </>
      )}
    </div>
  );
}

function HowFar({ move }: { move: MoveShown }) {
  const { t } = useTranslation("moving");
  const { state, done, total } = move;
  return (
    <div className={classes.far}>
      <p role="status">
        {state === "waiting" && t("waiting")}
        {state === "running" && t("running", { done, total })}
        {state === "failed" && t("failed")}
        {state === "done" && t("over", { ...move, count: total })}
      </p>
      {!isOver(state) && (
        <Progress.Root>
          <Progress.Section
            value={total > 0 ? (100 * done) / total : 0}
            aria-label={t("progress")}
          />
        </Progress.Root>
      )}
    </div>
  );
}
