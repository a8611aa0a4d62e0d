/** The four lists of an import report: kept, changed, dropped, and what to look at. */
import { useTranslation } from "react-i18next";
import type { ImportReport } from "../types";
import classes from "./Importing.module.css";
import { noteWords } from "./notes";

const LISTS = ["dropped", "changed", "warnings", "kept"] as const;

export function ReportLists({ report }: { report: ImportReport }) {
  const { t } = useTranslation();
  const told = LISTS.filter((list) => (report[list]?.length ?? 0) > 0);
  if (told.length === 0) return <p className={classes.facts}>{t("library.whole")}</p>;
  return (
    <details>
      <summary className={classes.facts}>
        {told.map((list) => `${t(`library.lists.${list}`)} ${report[list].length}`).join(" · ")}
      </summary>
      {told.map((list) => (
        <div key={list} className={classes.list}>
          <h4>{t(`library.lists.${list}`)}</h4>
          <ul className={classes.notes}>
            {report[list].map((note) => (
              <li key={`${note.code} ${note.path} ${note.detail}`}>
                {note.path !== "" && <code>{note.path}</code>} {noteWords(note)}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
  );
}
