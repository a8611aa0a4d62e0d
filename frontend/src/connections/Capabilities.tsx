/** What the last test found, each as a tick, a cross or "not known". */
import { useTranslation } from "react-i18next";
import type { Connection } from "@/api/types";
import { Icon } from "@/ui/icons";
import { dayOf } from "@/ui/times";
import classes from "./Connections.module.css";

const ASKED = [
  "reachable",
  "streams",
  "calls_tools",
  "reasons",
  "json_schema",
  "reports_usage",
  "reports_cache",
] as const;

export function Capabilities({ one, testing }: { one: Connection; testing: boolean }) {
  const { t } = useTranslation();
  const found = one.capabilities;
  if (testing) return <p className={classes.facts}>{t("connections.testing")}</p>;
  if (found === null) return <p className={classes.facts}>{t("connections.untested")}</p>;
  return (
    <>
      <ul className={classes.ticks} aria-label={t("connections.found")}>
        {ASKED.map((name) => (
          <li key={name} className={classes.tick} data-is={String(found[name])}>
            {found[name] === true && <Icon name="check" size={16} />}
            {found[name] === false && <Icon name="close" size={16} />}
            {found[name] === null && <span aria-hidden="true">–</span>}
            <span>{t(`connections.can.${name}`)}</span>
            <span className="only-spoken">{t(`connections.is.${wordOf(found[name])}`)}</span>
          </li>
        ))}
      </ul>
      <p className={classes.facts}>
        {t("connections.tested", { day: dayOf(found.tested_at) })}
        {found.first_token_ms !== null &&
          ` · ${t("connections.first", { s: (found.first_token_ms / 1000).toFixed(1) })}`}
        {one.window !== null && ` · ${t("connections.window", { n: one.window.toLocaleString() })}`}
      </p>
      {found.failure !== "" && (
        <div className={classes.failure} role="alert">
          <p>{t(`connections.${found.reachable === false ? "cannotReach" : "testFailed"}`)}</p>
          <small>{found.failure}</small>
        </div>
      )}
    </>
  );
}

function wordOf(value: boolean | null): "yes" | "no" | "unknown" {
  if (value === null) return "unknown";
  return value ? "yes" : "no";
}
