/** What a scenario comes to, in a sentence or two: who performs, what works beside, what it would lack. */
import { useTranslation } from "react-i18next";
import classes from "./Scenarios.module.css";
import { tellsStories } from "./types";

const PERFORMERS = ["stage", "actor", "showrunner", "writing"] as const;

interface AboutProps {
  values: Readonly<Record<string, unknown>>;
  lacks: readonly "image"[];
}

export function About({ values, lacks }: AboutProps) {
  const { t } = useTranslation();
  if (!tellsStories(values)) return <span>{t("scenarios.passesOn")}</span>;
  const performer = PERFORMERS.find((one) => one === values["performer.kind"]);
  return (
    <>
      {performer !== undefined && <span>{t(`scenarios.performers.${performer}`)} </span>}
      {values["planner.enabled"] === true && <span>{t("scenarios.planner")} </span>}
      {lacks.map((role) => (
        <span key={role} className={classes.fault}>
          {t(`scenarios.lacks.${role}`)}
        </span>
      ))}
    </>
  );
}
