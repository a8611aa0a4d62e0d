/** The report of an import: what became of each file and why, what could not be read first. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { Sheet } from "../Sheet";
import { BareCard, WITHOUT_CARD } from "./BareCard";
import classes from "./Importing.module.css";
import { ReportItem } from "./ReportItem";
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
          <ReportItem key={item.n} item={item}>
            {item.code === WITHOUT_CARD && item.fate === "refused" && (
              <BareCard id={id} n={item.n} />
            )}
          </ReportItem>
        ))}
      </ul>
      {items.data !== undefined && items.data.length < done && (
        <p className={classes.facts}>{t("library.reportMore", { n: items.data.length })}</p>
      )}
    </Sheet>
  );
}
