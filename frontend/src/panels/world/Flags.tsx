/** The flags: facts that have a name. */
import { useTranslation } from "react-i18next";
import classes from "../Panels.module.css";
import { Adding } from "./Adding";
import { useBook } from "./ledger";
import { Place } from "./Place";

export function Flags() {
  const { t } = useTranslation();
  const { ledger, fixed, edit } = useBook();
  return (
    <section className={classes.section}>
      <h3>{t("world.flags")}</h3>
      {Object.entries(ledger.ledger.flags).map(([name, value]) => (
        <Place
          key={name}
          path={["flags", name]}
          label={name}
          value={value}
          hint={t("world.emptyRemoves")}
          read={(text) => (text.trim() === "" ? null : text)}
        />
      ))}
      {!fixed && (
        <Adding
          word={t("world.addFlag")}
          label={t("world.name")}
          valued={t("world.value")}
          add={(name, value) => edit({ flags: { [name]: value } })}
        />
      )}
    </section>
  );
}
