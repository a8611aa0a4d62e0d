/** The latest states of the book under its text, on a wide window: one point each, and the ways to go back. */
import { Button, Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useParam } from "@/app/param";
import classes from "./Desk.module.css";
import { useDesk } from "./desk";
import { Conflicted } from "./history/Conflicted";
import { useCheckpoints } from "./history/checkpoints";
import { useUndo } from "./history/moving";
import { labelOf, makerOf } from "./history/record";

const SHOWN = 12;

export function Strip() {
  const { t } = useTranslation();
  const { project } = useDesk();
  const { items } = useCheckpoints(project.id);
  const [, setPanel] = useParam("panel");
  const undo = useUndo(project.id);
  if (items.length === 0) return null;
  const latest = items.slice(0, SHOWN).reverse();
  const turns = items.some((one) => one.turn !== null);
  return (
    <section className={classes.strip} aria-label={t("desk.panel.timeline")}>
      <ol className={classes.points}>
        {latest.map((one) => (
          <li key={one.id}>
            <Tooltip label={labelOf(one)}>
              <button
                type="button"
                className={classes.point}
                data-maker={makerOf(one)}
                data-named={one.name !== "" || undefined}
                aria-label={labelOf(one)}
                onClick={() => setPanel("timeline")}
              />
            </Tooltip>
          </li>
        ))}
      </ol>
      <Button size="compact-sm" variant="subtle" onClick={() => setPanel("timeline")}>
        {t("desk.panel.timeline")}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => setPanel("compare")}>
        {t("desk.panel.compare")}
      </Button>
      {turns && (
        <Button
          size="compact-sm"
          variant="subtle"
          disabled={project.active !== null}
          loading={undo.isPending}
          onClick={() => undo.mutate(false)}
        >
          {t("stage.undoTurn")}
        </Button>
      )}
      {undo.error !== null && (
        <Conflicted error={undo.error} pending={undo.isPending} onForce={() => undo.mutate(true)} />
      )}
    </section>
  );
}
