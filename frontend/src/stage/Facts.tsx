/** What a reply consists of and rests on: characters, the lore that took part, what it cost. Asked for
 * once the reader has stayed with it. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { PathItem } from "@/api/types";
import { wordsAlone } from "@/images/marker";
import { usePreferences } from "@/reading/preferences";
import classes from "./Stage.module.css";
import { replyOf } from "./transcript";
import { useTurn } from "./useElapsed";

const STAYED_MS = 400;

export function Facts({ item, onLore }: { item: PathItem; onLore: () => void }) {
  const { t } = useTranslation();
  const { hideCost } = usePreferences();
  const stayed = useStayed();
  const asks = stayed && item.kind === "turn";
  const turn = useTurn(item.id, asks && !hideCost);
  const lore = useQuery({
    queryKey: [...keys.lore(item.id), "count"],
    queryFn: () =>
      told(
        api.GET("/api/turns/{turn_id}/lore", {
          params: { path: { turn_id: item.id }, query: { limit: 1 } },
        }),
      ),
    enabled: asks,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const cost = hideCost ? "" : costOf(turn.data?.usage);
  const chosen = lore.data?.made ? lore.data.chosen.length : null;
  return (
    <span className={classes.replyFacts}>
      <span>{t("stage.chars", { n: [...wordsAlone(replyOf(item))].length.toLocaleString() })}</span>
      {chosen !== null && (
        <button type="button" className={classes.fact} onClick={onLore}>
          {t("stage.lore", { n: chosen })}
        </button>
      )}
      {cost !== "" && <span>{cost}</span>}
    </span>
  );
}

function useStayed(): boolean {
  const [stayed, setStayed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStayed(true), STAYED_MS);
    return () => clearTimeout(timer);
  }, []);
  return stayed;
}

const SIGNS: Readonly<Record<string, string>> = { CNY: "¥", USD: "$", EUR: "€" };

/** What its calls cost, by currency; empty where that cannot be known. */
function costOf(usage: Readonly<Record<string, unknown>> | undefined): string {
  const costs = usage?.costs;
  if (!Array.isArray(costs)) return "";
  return costs
    .map((one: { amount: number; currency: string }) => {
      const digits = one.amount < 0.1 ? 4 : 2;
      return `${SIGNS[one.currency] ?? `${one.currency} `}${one.amount.toFixed(digits)}`;
    })
    .join(" + ");
}
