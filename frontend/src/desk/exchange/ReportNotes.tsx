/** What an import or an export did to texts, a line for each; nothing where all is whole. */
import { useTranslation } from "react-i18next";
import type { components } from "@/api/schema.gen";
import { noteWords } from "@/library/importing/notes";
import classes from "./Exchange.module.css";

type Report = components["schemas"]["ImportReport"];

const CODES = ["encoding", "converted", "renamed", "blank", "not_utf8"] as const;

export function ReportNotes({ report }: { report: Report }) {
  const { t } = useTranslation();
  const notes = [...report.dropped, ...report.warnings, ...report.changed];
  if (notes.length === 0) return null;
  return (
    <ul className={classes.notes} aria-label={t("manuscript.report")}>
      {notes.map((note) => {
        const code = CODES.find((one) => one === note.code);
        return (
          <li key={`${note.code} ${note.path} ${note.detail}`}>
            <strong>{note.path}</strong>{" "}
            {code === undefined
              ? noteWords(note)
              : t(`manuscript.notes.${code}`, { detail: note.detail })}
          </li>
        );
      })}
    </ul>
  );
}
