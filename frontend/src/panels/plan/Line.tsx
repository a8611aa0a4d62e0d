/** A line of the plan; a secret one stays folded until it is opened, each time anew. */
import { useTranslation } from "react-i18next";
import classes from "../Panels.module.css";
import { isSecret } from "./lines";

export function Line({ line }: { line: string }) {
  const { t } = useTranslation();
  const said = line.replace(/^\s*[-*+•]\s+/, "");
  if (!isSecret(line)) return <span className={classes.text}>{said}</span>;
  return (
    <details className={classes.details}>
      <summary>{t("plan.secret")}</summary>
      <span className={classes.text}>{said}</span>
    </details>
  );
}
