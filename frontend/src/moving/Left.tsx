/** What stays behind in the folder, and why. */
import { useTranslation } from "react-i18next";
import { bytes } from "./bytes";
import classes from "./Moving.module.css";
import type { Survey } from "./types";

export function Left({ survey }: { survey: Survey }) {
  const { t } = useTranslation("moving");
  if (survey.left.length + survey.links.length === 0) return null;
  return (
    <div>
      <h3 className={classes.sub}>{t("left")}</h3>
      <ul className={classes.left}>
        {survey.left.map(({ place, reason, files, size }) => (
          <li key={`${place} ${reason}`}>
            <code>{place}</code>
            <span className={classes.facts}>
              {t(`reason.${reason}`)} · {t("files", { count: files })} · {bytes(size)}
            </span>
          </li>
        ))}
        {survey.links.map((place) => (
          <li key={place}>
            <code>{place}</code>
            <span className={classes.facts}>{t("link")}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
