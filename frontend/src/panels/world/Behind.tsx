/** A late ledger is a line on top, never a dialog. */
import { useTranslation } from "react-i18next";
import classes from "../Panels.module.css";

export function Behind({ count }: { count: number }) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <div className={classes.notice} role="status">
      <p>{t("world.behind", { count })}</p>
    </div>
  );
}
