/** What the story has taken of its models: in all, by purpose, turn by turn, and how much of it came from
 * a cache. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { amount, money, share } from "@/ui/amounts";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import type { PanelProps } from "../registry";
import { CacheChart } from "./CacheChart";
import classes from "./Cost.module.css";
import { PurposeTable } from "./PurposeTable";
import { TurnList } from "./TurnList";
import { type Sum, turnsOf } from "./usage";

export default function CostPanel({ project }: PanelProps) {
  const { t } = useTranslation();
  const usage = useQuery({
    queryKey: keys.usage(project),
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/usage", { params: { path: { project_id: project } } }),
      ),
  });
  if (usage.error !== null) {
    return <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} />;
  }
  if (usage.data === undefined) return <Pending />;
  const { items, purposes, total } = usage.data;
  if (total.calls === 0) return <Empty text={t("cost.none")} />;
  const turns = turnsOf(items);
  return (
    <div className={classes.panel}>
      <Total total={total} />
      <CacheChart turns={turns} />
      <PurposeTable purposes={purposes} />
      <TurnList project={project} turns={turns} />
    </div>
  );
}

function Total({ total }: { total: Sum }) {
  const { t } = useTranslation();
  const costs = total.costs.map((one) => money(one)).join(" + ");
  return (
    <section aria-label={t("cost.total")}>
      <dl className={classes.total}>
        <dt>{t("cost.cost")}</dt>
        <dd>{costs || t("cost.unknown")}</dd>
        <dt>{t("cost.sent")}</dt>
        <dd>
          {t("cost.tokens", { n: amount(total.prompt) })}
          {total.cached > 0 && (
            <span className={classes.facts}>
              {" "}
              {share(total.cached, total.prompt)} {t("cost.cached")}
            </span>
          )}
        </dd>
        <dt>{t("cost.written")}</dt>
        <dd>
          {t("cost.tokens", { n: amount(total.completion) })}
          {total.reasoning > 0 && (
            <span className={classes.facts}>
              {" "}
              {share(total.reasoning, total.completion)} {t("cost.thought")}
            </span>
          )}
        </dd>
        <dt>{t("cost.callsHead")}</dt>
        <dd>{amount(total.calls)}</dd>
      </dl>
      {total.unpriced > 0 && (
        <p className={classes.facts}>{t("cost.unpriced", { count: total.unpriced })}</p>
      )}
    </section>
  );
}
