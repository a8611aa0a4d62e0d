/** How the request divides into what stays for the session, what only grows, and what is of this turn. */
import { useTranslation } from "react-i18next";
import { amount } from "@/ui/amounts";
import { type Call, ZONES } from "./call";
import classes from "./Inspector.module.css";

export function ZonesBar({ call }: { call: Call }) {
  const { t } = useTranslation();
  const zones = ZONES.filter((zone) => call.zones[zone] > 0);
  return (
    <div className={classes.zones}>
      <div className={classes.bar} aria-hidden="true">
        {zones.map((zone) => (
          <span key={zone} data-zone={zone} style={{ flexGrow: call.zones[zone] }} />
        ))}
      </div>
      <ul className={classes.legend} aria-label={t("inspector.zones")}>
        {zones.map((zone) => (
          <li key={zone} data-zone={zone}>
            {t(`inspector.zone.${zone}`)} {amount(call.zones[zone])}
          </li>
        ))}
      </ul>
    </div>
  );
}
