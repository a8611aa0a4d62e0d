/** What each turn has taken, the latest first; each leads to its calls in the inspector. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { amount, share } from "@/ui/amounts";
import classes from "./Cost.module.css";
import type { TurnSpent } from "./usage";

const PAGE = 30;

export function TurnList({ project, turns }: { project: string; turns: readonly TurnSpent[] }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(PAGE);
  const latest = turns.map((one, at) => ({ ...one, n: at + 1 })).reverse();
  const more = latest.length - shown;
  return (
    <section aria-label={t("cost.perTurn")}>
      <h2 className={classes.heading}>{t("cost.perTurn")}</h2>
      <ol className={classes.turns} reversed>
        {latest.slice(0, shown).map((one) => (
          <li key={one.turn}>
            <Link className={classes.turn} href={`/p/${project}/inspect/${one.turn}`}>
              <span>
                <span className="only-spoken">{t("cost.inspect")} </span>
                {one.n}
              </span>
              <span>{t("cost.calls", { count: one.calls })}</span>
              <span>{t("cost.tokens", { n: amount(one.prompt + one.completion) })}</span>
              <span>{share(one.cached, one.prompt)}</span>
              <span>{one.cost || "–"}</span>
            </Link>
          </li>
        ))}
      </ol>
      {more > 0 && (
        <Button onClick={() => setShown(shown + PAGE * 4)}>
          {t("lore.more", { n: amount(more) })}
        </Button>
      )}
    </section>
  );
}
