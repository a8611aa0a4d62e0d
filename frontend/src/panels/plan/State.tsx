/** The text of the plan by its sections: edited whole, locked by lines, secrets folded. */
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { InPlace } from "../InPlace";
import classes from "../Panels.module.css";
import { Line } from "./Line";
import { sectionsOf } from "./lines";
import { type Plan, useChangePlan } from "./plan";

interface StateProps {
  project: string;
  plan: Plan;
  fixed: boolean;
}

export function State({ project, plan, fixed }: StateProps) {
  const { t } = useTranslation();
  const change = useChangePlan(project, plan.revision);
  const lock = useChangePlan(project, plan.revision);
  const value = plan.state === "" ? plan.headings.join("\n\n") : plan.state;
  const locked = (line: string) => plan.locked.some((one) => one.trim() === line.trim());
  const turn = (line: string) => {
    const others = plan.locked.filter((one) => one.trim() !== line.trim());
    lock.mutate({ locks: locked(line) ? others : [...others, line] });
  };
  const sections = sectionsOf(plan.state, plan.headings).filter((one) => one.lines.length > 0);
  return (
    <>
      <InPlace
        id={`${project}.plan`}
        label={t("plan.state")}
        value={value}
        hint={t("plan.editHint")}
        fixed={fixed}
        save={(state) => change.mutateAsync({ state })}
      >
        {sections.length === 0 && <span className={classes.facts}>{t("world.none")}</span>}
      </InPlace>
      {sections.map((section) => (
        <section key={section.heading} className={classes.section}>
          <h3>{section.heading.replace(/^#+\s*/, "")}</h3>
          <ul className={classes.list}>
            {section.lines.map((line) => (
              <li key={line} className={classes.head}>
                <Line line={line} />
                {!fixed && (
                  <IconButton
                    icon={locked(line) ? "lock" : "unlock"}
                    label={t(locked(line) ? "plan.unlock" : "plan.lock")}
                    pressed={locked(line)}
                    disabled={lock.isPending}
                    onClick={() => turn(line)}
                  />
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {lock.error !== null && <ErrorNote error={lock.error} />}
    </>
  );
}
