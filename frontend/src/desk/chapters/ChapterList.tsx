/** The chapters in their order, with their lengths. */
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useDesk } from "../desk";
import classes from "./Chapters.module.css";

export function ChapterList() {
  const { t } = useTranslation();
  const { chapters, chapter, hrefOf } = useDesk();
  return (
    <nav className={classes.list} aria-label={t("desk.part.chapters")}>
      <ol className={classes.items}>
        {chapters.map((one) => (
          <li key={one.name} className={classes.item}>
            <Link
              className={classes.open}
              href={hrefOf(one.name)}
              aria-current={one.name === chapter ? "page" : undefined}
            >
              <span className={classes.name}>{one.name.replace(/\.md$/i, "")}</span>
              <span className={classes.chars}>{one.chars?.toLocaleString() ?? "–"}</span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
