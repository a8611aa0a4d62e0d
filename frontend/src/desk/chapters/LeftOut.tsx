/** Files of the folder that are no chapters, and why: nobody should wonder where a text is. */
import { useTranslation } from "react-i18next";
import { useDesk } from "../desk";
import classes from "./Chapters.module.css";
import { useChapters } from "./useChapters";

export function LeftOut() {
  const { t } = useTranslation();
  const { project } = useDesk();
  const out = useChapters(project.id).data?.left_out ?? [];
  if (out.length === 0) return null;
  return (
    <section className={classes.out} aria-label={t("desk.leftOut")}>
      <p>{t("desk.leftOut")}</p>
      <ul>
        {out.map((one) => (
          <li key={one.name}>
            {one.name}: {t(`desk.leftOutFor.${one.reason}`)}
          </li>
        ))}
      </ul>
    </section>
  );
}
