/** The scenarios that a story may be begun with: the shipped ones and the reader's own; a broken file says what
 * is wrong and hides no other. One of them stands open beside the list. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { useParam } from "@/app/param";
import { ErrorNote } from "@/ui/ErrorNote";
import { Icon } from "@/ui/icons";
import { PageBody } from "@/ui/PageBody";
import { Pending } from "@/ui/Pending";
import { About } from "./About";
import { ScenarioSide } from "./ScenarioSide";
import classes from "./Scenarios.module.css";

export default function ScenariosPage() {
  const { t } = useTranslation();
  const [open, setOpen] = useParam("name");
  const found = useQuery({
    queryKey: keys.scenarios,
    queryFn: () => told(api.GET("/api/scenarios")),
  });
  return (
    <PageBody title={t("scenarios.title")} wide>
      <div className={classes.columns}>
        <div className={classes.narrow}>
          {found.isPending && <Pending />}
          {found.error !== null && (
            <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
          )}
          <ul className={classes.list}>
            {(found.data?.items ?? []).map(({ name, values, fault, lacks }) => (
              <li key={name}>
                <button
                  type="button"
                  className={classes.one}
                  aria-pressed={name === open}
                  onClick={() => setOpen(name)}
                >
                  <span className={classes.name}>
                    {fault != null && <Icon name="warning" size={18} />} {name}
                  </span>
                  <span className={classes.about}>
                    {fault != null ? t("scenarios.broken") : null}
                    {values != null && <About values={values} lacks={lacks ?? []} />}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
        {open !== null && <ScenarioSide key={open} name={open} onOpen={setOpen} />}
      </div>
    </PageBody>
  );
}
