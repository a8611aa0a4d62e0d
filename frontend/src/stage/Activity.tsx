/** What the model is doing, in one quiet line: the verb and the seconds; opened, the steps; a step
 * opened, the thought or the raw call. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { usePicked } from "@/api/liveturn";
import type { TurnView } from "@/api/turnview";
import type { PathItem } from "@/api/types";
import { Icon } from "@/ui/icons";
import { lasting } from "@/ui/times";
import classes from "./Activity.module.css";
import { doing, stepsOf, tally } from "./activity";
import { Loud } from "./Loud";
import { Steps } from "./Steps";
import { useStage } from "./stage";
import { useElapsed } from "./useElapsed";

const LONG_S = 10;

export function Activity({ item }: { item: PathItem }) {
  const { t } = useTranslation();
  const { live } = useStage();
  const view = usePicked(live, (now) => now);
  const [open, setOpen] = useState(false);
  // The log of an imported turn is empty, and that of an ended one has yet to be read.
  const now = ["running", "waiting", "queued"].includes(item.status) ? doing(view) : null;
  const running = now !== null && now.kind !== "waiting" && now.kind !== "queued";
  const elapsed = useElapsed(item.id, running);
  const steps = stepsOf(view);
  const done = useSummary(view);
  if (now === null && steps.length === 0) return <Loud notices={view.notices} plan={view.plan} />;
  const line = now === null ? done : t(`stage.doing.${now.kind}`, { about: now.subject });
  const about = now !== null && now.subject !== "" ? t("stage.about", { about: now.subject }) : "";
  return (
    <div className={classes.activity}>
      <button
        type="button"
        className={classes.line}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? "down" : "forward"} size={14} />
        <span className={classes.verb}>
          {line}
          {about}
        </span>
        {elapsed !== null && <span className={classes.seconds}>{lasting(elapsed)}</span>}
        {running && (elapsed ?? 0) >= LONG_S && <Usual view={view} />}
      </button>
      <Loud notices={view.notices} plan={view.plan} />
      {open && <Steps steps={steps} notices={view.notices} />}
    </div>
  );
}

function useSummary(view: TurnView): string {
  const { t } = useTranslation();
  const steps = stepsOf(view);
  const counts = tally(steps);
  const parts = (["lookups", "edits", "notes", "asks"] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => t(`stage.tally.${name}`, { n: counts[name] }));
  if (parts.length === 0) {
    const thoughts = steps.every((step) => step.kind === "thought" || step.kind === "write");
    return thoughts ? t("stage.tally.none") : t("stage.tally.steps", { n: steps.length });
  }
  return parts.join(t("stage.tally.between"));
}

/** How long the first word usually takes, once waiting has become long and nothing is written. */
function Usual({ view }: { view: TurnView }) {
  const { t } = useTranslation();
  const nothing = view.versions.length === 0 && view.preview === null;
  const known = useQuery({
    queryKey: keys.connections,
    queryFn: () => told(api.GET("/api/connections")),
    enabled: nothing,
    staleTime: 60_000,
  });
  const usable = known.data?.items.filter((one) => one.usable) ?? [];
  const one = usable.find((candidate) => candidate.roles.includes("story")) ?? usable[0];
  const usual = one?.capabilities?.first_token_ms ?? null;
  if (!nothing || usual === null) return null;
  return <span>{t("stage.usual", { s: lasting(usual / 1000) })}</span>;
}
