/** The report of an import: what became of each file and why, what could not be read first. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { Sheet } from "../Sheet";
import type { ImportItem } from "../types";
import classes from "./Importing.module.css";
import { ReportLists } from "./ReportLists";
import { itemsOf, useImport } from "./useImport";

export function ImportReportSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const told = useImport(id);
  const done = told.data?.done ?? 0;
  const items = useQuery({
    queryKey: ["imports", id, "items", done],
    queryFn: () => itemsOf(id),
    placeholderData: (before) => before,
  });
  return (
    <Sheet title={t("library.reportTitle")} onClose={onClose}>
      {told.data !== undefined && <p>{t("library.imported", told.data)}</p>}
      {told.error !== null && <ErrorNote error={told.error} />}
      {items.isPending && <Pending />}
      <ul className={classes.items}>
        {(items.data ?? []).map((item) => (
          <Item key={item.n} item={item} />
        ))}
      </ul>
      {items.data !== undefined && items.data.length < done && (
        <p className={classes.facts}>{t("library.reportMore", { n: items.data.length })}</p>
      )}
    </Sheet>
  );
}

const PLACES: Readonly<Record<string, string>> = {
  card: "/library/cards/",
  lorebook: "/library/lorebooks/",
  persona: "/library/personas/",
  chat: "/p/",
};

function Item({ item }: { item: ImportItem }) {
  const { t, i18n } = useTranslation();
  const place = item.kind === null ? undefined : PLACES[item.kind];
  const known = item.code !== null && i18n.exists(`library.refused.${item.code}`);
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
      {item.fate === "refused" && (
        <p className={classes.why}>{known ? words(item.code) : item.message}</p>
      )}
      {item.report !== null && item.fate === "imported" && <ReportLists report={item.report} />}
    </li>
  );

  function words(code: string | null): string {
    return t(`library.refused.${code as "corrupt"}`); // asked for above
  }
}
