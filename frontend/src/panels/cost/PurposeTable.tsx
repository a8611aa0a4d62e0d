/** Calls, tokens and cost of each purpose. */
import { useTranslation } from "react-i18next";
import { amount, money, purposeWord, share } from "@/ui/amounts";
import classes from "./Cost.module.css";
import type { Sum } from "./usage";

export function PurposeTable({ purposes }: { purposes: Readonly<Record<string, Sum>> }) {
  const { t } = useTranslation();
  return (
    <table className={classes.table}>
      <caption>{t("cost.byPurpose")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("cost.purpose")}</th>
          <th scope="col">{t("cost.callsHead")}</th>
          <th scope="col">{t("cost.sent")}</th>
          <th scope="col">{t("cost.share")}</th>
          <th scope="col">{t("cost.written")}</th>
          <th scope="col">{t("cost.cost")}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(purposes).map(([purpose, sum]) => (
          <tr key={purpose}>
            <th scope="row">{purposeWord(purpose)}</th>
            <td>{amount(sum.calls)}</td>
            <td>{amount(sum.prompt)}</td>
            <td>{share(sum.cached, sum.prompt)}</td>
            <td>{amount(sum.completion)}</td>
            <td>{sum.costs.map((one) => money(one)).join(" + ") || "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
