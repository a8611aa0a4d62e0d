/** The calls of a turn in their order, one line each. */
import { useTranslation } from "react-i18next";
import { amount, money, purposeWord, share } from "@/ui/amounts";
import type { Call } from "./call";
import classes from "./Inspector.module.css";

interface CallListProps {
  calls: readonly Call[];
  open: string;
  onOpen: (id: string) => void;
}

export function CallList({ calls, open, onOpen }: CallListProps) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("inspector.calls")}>
      <ol className={classes.calls}>
        {calls.map(({ item, sent, cached }, at) => (
          <li key={item.id}>
            <button
              type="button"
              className={classes.call}
              aria-current={item.id === open ? "true" : undefined}
              onClick={() => onOpen(item.id)}
            >
              <span>
                {at + 1} {purposeWord(item.purpose)}
                {item.state !== "done" && (
                  <span className={classes.state}> {t(`inspector.state.${item.state}`)}</span>
                )}
              </span>
              <span className={classes.facts}>
                {[
                  t("lorebooks.tokens", { n: amount(sent) }),
                  cached === null || sent === 0
                    ? ""
                    : t("inspector.cached", { share: share(cached, sent) }),
                  money(item.cost),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
