/** Tokens sent, turn by turn, as bars: the lower part came from a cache. Drawn here; what it shows is also
 * said in a sentence and stands in the list below it. */
import { useTranslation } from "react-i18next";
import { amount, share } from "@/ui/amounts";
import classes from "./Cost.module.css";
import type { TurnSpent } from "./usage";

const LATEST = 40;
const WIDTH = 320;
const HEIGHT = 96;

export function CacheChart({ turns }: { turns: readonly TurnSpent[] }) {
  const { t } = useTranslation();
  const shown = turns.slice(-LATEST);
  const most = Math.max(1, ...shown.map((one) => one.prompt));
  const step = Math.min(24, WIDTH / Math.max(1, shown.length));
  const sum = (name: "prompt" | "cached") => shown.reduce((all, one) => all + one[name], 0);
  const last = shown.at(-1);
  if (last === undefined) return null;
  const said = t("cost.chartSaid", {
    n: shown.length,
    share: share(sum("cached"), sum("prompt")) || "0%",
    last: share(last.cached, last.prompt) || "0%",
  });
  return (
    <figure className={classes.figure}>
      <figcaption>{t("cost.chart")}</figcaption>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={said}
        preserveAspectRatio="none"
      >
        {shown.map((one, at) => {
          const whole = (one.prompt / most) * (HEIGHT - 2);
          const cached = one.prompt === 0 ? 0 : (whole * one.cached) / one.prompt;
          const place = { x: at * step, width: Math.max(1, step - 1.5) };
          return (
            <g key={one.turn}>
              <rect
                {...place}
                y={HEIGHT - whole}
                height={whole - cached}
                className={classes.fresh}
              />
              <rect {...place} y={HEIGHT - cached} height={cached} className={classes.cachedBar} />
            </g>
          );
        })}
        <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className={classes.axis} />
      </svg>
      <p className={classes.legend}>
        <span className={classes.keyCached}>{t("cost.legendCached")}</span>
        <span className={classes.keyFresh}>{t("cost.legendFresh")}</span>
        <span>≤ {t("cost.tokens", { n: amount(most) })}</span>
      </p>
    </figure>
  );
}
