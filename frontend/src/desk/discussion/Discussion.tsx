/** The discussion: what the author says about the book, and what the model reports; never prose. */
import { useTranslation } from "react-i18next";
import classes from "./Discussion.module.css";

export function Discussion() {
  const { t } = useTranslation();
  return <section className={classes.pane} aria-label={t("desk.part.discussion")} />;
}
