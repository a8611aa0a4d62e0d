/** The steps of a turn, each of which opens into what was thought, or into the call as it was made. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TurnView } from "@/api/turnview";
import { Icon } from "@/ui/icons";
import classes from "./Activity.module.css";
import type { Step } from "./activity";

interface StepsProps {
  steps: readonly Step[];
  notices: TurnView["notices"];
}

export function Steps({ steps, notices }: StepsProps) {
  const { t } = useTranslation();
  const told = notices.filter((one) => one.code !== "continue" && one.detail !== "");
  return (
    <ul className={classes.steps}>
      {steps.map((step) => (
        <li key={step.key}>
          <StepLine step={step} />
        </li>
      ))}
      {told.map((one) => (
        <li key={`${one.code}.${one.call}.${one.detail}`} className={classes.notice}>
          <NoticeWords code={one.code} detail={one.detail} />
        </li>
      ))}
      {steps.length === 0 && told.length === 0 && <li>{t("stage.noSteps")}</li>}
    </ul>
  );
}

const KNOWN = [
  "scripts_changed",
  "scripts_emptied",
  "saves_failed",
  "summary_failed",
  "recap_failed",
  "remembering_failed",
] as const;

/** A notice in words where it has some, else as it was written. */
function NoticeWords({ code, detail }: { code: string; detail: string }) {
  const { t } = useTranslation();
  const known = KNOWN.find((one) => one === code);
  return known === undefined ? detail : t(`stage.notice.${known}`, { what: detail });
}

function StepLine({ step }: { step: Step }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={classes.step}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? "down" : "forward"} size={14} />
        <span>
          {t(`stage.step.${step.kind}`)}
          {step.subject !== "" && t("stage.about", { about: step.subject })}
        </span>
        {step.ok === false && <span className={classes.bad}>{t("stage.stepFailed")}</span>}
        {step.ok === null && <span>…</span>}
      </button>
      {open && (
        <div className={classes.raw}>
          <pre>{step.raw}</pre>
          <Button size="xs" variant="subtle" onClick={() => setOpen(false)}>
            {t("stage.fold")}
          </Button>
        </div>
      )}
    </>
  );
}
