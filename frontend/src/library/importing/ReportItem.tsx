/** One file of an import report: what became of it, why, and the way to what it brought. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { ImportItem } from "../types";
import classes from "./Importing.module.css";
import { ReportLists } from "./ReportLists";

/** What an import and a move both tell of a file. */
export type Reported = Pick<
  ImportItem,
  "file" | "fate" | "id" | "name" | "code" | "message" | "report"
> & { kind: string | null };

const PLACES: Readonly<Record<string, string>> = {
  card: "/library/cards/",
  lorebook: "/library/lorebooks/",
  persona: "/library/personas/",
  preset: "/library/presets/",
  quick_replies: "/library/quick-replies/",
  chat: "/p/",
};

interface ReportItemProps {
  item: Reported;
  /** What can be done about a file that was not read. */
  children?: ReactNode;
}

export function ReportItem({ item, children }: ReportItemProps) {
  const { t } = useTranslation();
  const place = item.kind === null ? undefined : PLACES[item.kind];
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        <span className={classes.file}>
          {place !== undefined && item.id !== null ? (
            <Link href={`${place}${item.id}`}>{item.name ?? item.file}</Link>
          ) : (
            (item.name ?? item.file)
          )}
        </span>
        <span className={classes.fate} data-fate={item.fate}>
          {t(`library.fate.${item.fate}`)}
        </span>
      </div>
      {item.name !== null && <p className={classes.facts}>{item.file}</p>}
      {item.fate === "refused" && <Why code={item.code} message={item.message} />}
      {children}
      {item.report !== null && item.fate === "imported" && <ReportLists report={item.report} />}
    </li>
  );
}

/** A code that the page has no words for is told by the server's English sentence. */
function Why({ code, message }: { code: string | null; message: string | null }) {
  const { t, i18n } = useTranslation();
  const known = [`library.refused.${code}`, `report:refused.${code}`].find((key) =>
    i18n.exists(key),
  );
  return <p className={classes.why}>{known === undefined ? message : t(known as AnyReason)}</p>;
}

/** Of which the one at hand was just found to exist. */
type AnyReason = "library.refused.corrupt";
