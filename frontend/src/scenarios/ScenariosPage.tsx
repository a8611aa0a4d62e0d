/** The scenarios that a story may be begun with; a broken file says what is wrong and hides no other. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { Icon } from "@/ui/icons";
import { PageBody } from "@/ui/PageBody";
import { Pending } from "@/ui/Pending";
import classes from "./Scenarios.module.css";

export default function ScenariosPage() {
  const { t } = useTranslation();
  const found = useQuery({
    queryKey: keys.scenarios,
    queryFn: () => told(api.GET("/api/scenarios")),
  });
  return (
    <PageBody title={t("scenarios.title")}>
      {found.isPending && <Pending />}
      {found.error !== null && (
        <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
      )}
      <ul className={classes.list}>
        {(found.data?.items ?? []).map(({ name, values, fault }) => (
          <li key={name} className={classes.one}>
            <h2 className={classes.name}>
              {fault != null && <Icon name="warning" size={18} />} {name}
            </h2>
            {fault != null && <p className={classes.fault}>{fault.message}</p>}
            {values != null && (
              <details>
                <summary className={classes.summary}>
                  {t("scenarios.values", { count: Object.keys(values).length })}
                </summary>
                <dl className={classes.values}>
                  {Object.entries(values).map(([key, value]) => (
                    <div key={key}>
                      <dt>{key}</dt>
                      <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
                    </div>
                  ))}
                </dl>
              </details>
            )}
          </li>
        ))}
      </ul>
    </PageBody>
  );
}
