/** What of a turn is not as it should be, said without being asked: a broken planner, a script that was
 * stopped, another connection. */
import { useTranslation } from "react-i18next";
import type { TurnView } from "@/api/turnview";
import classes from "./Activity.module.css";

const LOUD = [
  "planner_broken",
  "plan_unreadable",
  "control_failed",
  "segment_failed",
  "script_off",
  "connection_fallback",
] as const;

type LoudProps = Pick<TurnView, "notices" | "plan">;

export function Loud({ notices, plan }: LoudProps) {
  const { t } = useTranslation();
  const told = notices.flatMap((one) => {
    const code = LOUD.find((known) => known === one.code);
    return code === undefined ? [] : [{ code, what: one.detail }];
  });
  const unplanned = plan?.outcome === "failed";
  if (told.length === 0 && !unplanned) return null;
  return (
    <ul className={classes.loud}>
      {told.map((one) => (
        <li key={`${one.code}.${one.what}`}>{t(`stage.loud.${one.code}`, { what: one.what })}</li>
      ))}
      {unplanned && <li>{t("stage.loud.planning_failed", { what: plan.detail })}</li>}
    </ul>
  );
}
