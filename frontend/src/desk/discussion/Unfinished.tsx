/** A turn of the discussion that did not come to its end: what it changed is there; it can go on, or be taken
 * back with its changes. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { usePicked } from "@/api/liveturn";
import type { PathItem } from "@/api/types";
import { useStage } from "@/stage/stage";
import type { Unfinished as Status } from "@/stage/transcript";
import { resume, useVerb } from "@/stage/verbs";
import { ErrorNote } from "@/ui/ErrorNote";
import { Conflicted } from "../history/Conflicted";
import { useUndo } from "../history/moving";
import classes from "./Discussion.module.css";

export function Unfinished({ item, status }: { item: PathItem; status: Status }) {
  const { t } = useTranslation();
  const { live, project } = useStage();
  const error = usePicked(live, (view) => view.error);
  const again = useVerb(() => resume(item.id));
  const undo = useUndo(project.id);
  return (
    <section
      className={classes.unfinished}
      data-status={status}
      aria-label={t(`stage.is.${status}`)}
    >
      <p>{t(`desk.happened.${status}`)}</p>
      {status === "failed" && error !== null && (
        <p className={classes.facts}>
          {error.http_status === null
            ? error.message
            : t("desk.answered", { status: error.http_status })}
          {error.hint !== "" && ` ${error.hint}`}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="filled" loading={again.isPending} onClick={() => again.mutate()}>
          {t(`stage.goOn.${status}`)}
        </Button>
        <Button loading={undo.isPending} onClick={() => undo.mutate(false)}>
          {t("stage.undoTurn")}
        </Button>
      </div>
      {again.error !== null && <ErrorNote error={again.error} />}
      {undo.error !== null && (
        <Conflicted error={undo.error} pending={undo.isPending} onForce={() => undo.mutate(true)} />
      )}
    </section>
  );
}
