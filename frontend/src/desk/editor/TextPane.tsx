/** The text of the open chapter. */
import { useTranslation } from "react-i18next";
import { useDesk } from "../desk";
import classes from "./Text.module.css";

export function TextPane() {
  const { t } = useTranslation();
  const { chapter } = useDesk();
  return (
    <section className={classes.pane} aria-label={t("desk.part.text")}>
      {chapter}
    </section>
  );
}
