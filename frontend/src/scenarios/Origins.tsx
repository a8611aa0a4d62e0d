/** Every setting of a scenario with where its value comes from; what stands in no file is folded away. */
import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Scenarios.module.css";
import type { Shown } from "./types";

export function Origins({ scenario }: { scenario: Pick<Shown, "origins" | "name"> }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const shown = scenario.origins.filter((one) => all || one.source !== "default");
  return (
    <section aria-label={t("scenarios.resolved")}>
      <h3 className={classes.heading}>{t("scenarios.resolved")}</h3>
      <Checkbox
        label={t("scenarios.withDefaults")}
        checked={all}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      <dl className={classes.values}>
        {shown.map(({ path, value, source }) => (
          <div key={path}>
            <dt>{path}</dt>
            <dd>
              {typeof value === "string" ? value : JSON.stringify(value)}{" "}
              <span className={classes.origin}>
                {source === "default" ? t("scenarios.default") : source}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
