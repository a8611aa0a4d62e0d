/** A line of the plan; a secret one stays folded until it is opened, each time anew. In a difference it is
 * marked within its fold, because a mark around a fold would be drawn around nothing. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "../Panels.module.css";
import { isSecret } from "./lines";

interface LineProps {
  line: string;
  /** What a revision did with it. */
  op?: "added" | "removed";
}

export function Line({ line, op }: LineProps) {
  const { t } = useTranslation();
  const text = <span className={classes.text}>{line.replace(/^\s*[-*+•]\s+/, "")}</span>;
  const said = op === undefined ? text : <Marked op={op}>{text}</Marked>;
  if (!isSecret(line)) return said;
  return (
    <details className={classes.details}>
      <summary>{t("plan.secret")}</summary>
      {said}
    </details>
  );
}

function Marked({ op, children }: { op: "added" | "removed"; children: ReactNode }) {
  const { t } = useTranslation();
  return op === "added" ? (
    <ins>
      <span className="only-spoken">{t("common.inserted")}</span>
      {children}
    </ins>
  ) : (
    <del>
      <span className="only-spoken">{t("common.deleted")}</span>
      {children}
    </del>
  );
}
