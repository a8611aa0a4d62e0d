/** What is wrong with a scenario: each fault with its field, and the nearest one that is known. */
import { useTranslation } from "react-i18next";
import { Icon } from "@/ui/icons";
import { worded } from "./faultwords";
import classes from "./Scenarios.module.css";
import type { Fault } from "./types";

export function Faults({ faults }: { faults: readonly Fault[] }) {
  const { t } = useTranslation();
  if (faults.length === 0) return null;
  return (
    <section className={classes.faults} role="alert" aria-label={t("scenarios.faults")}>
      <strong>
        <Icon name="warning" size={18} /> {t("scenarios.faults")}
      </strong>
      <ul>
        {faults.map((one) => (
          <li key={`${one.path} ${one.what}`}>
            <code>{one.path}</code> <What what={one.what} />
            {one.nearest !== "" && (
              <>
                {" "}
                {t("scenarios.nearest")} <code>{one.nearest}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function What({ what }: { what: string }) {
  const { i18n } = useTranslation();
  const found = worded(what);
  if (found === null) return <span>{what}</span>;
  const key = `scenarios.fault.${found.word}`;
  // Which values a word wants is known to `worded`, not to the types of the words.
  const values = { low: "", high: "", value: "", ...found.values };
  return <span>{String(i18n.t(key as "scenarios.fault.range", values))}</span>;
}
