/** What was considered and not sent, each with its reason in full. */
import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";
import type { Call } from "./call";
import classes from "./Inspector.module.css";
import { sourceWord } from "./Pieces";

export function NotSent({ call }: { call: Call }) {
  const { t } = useTranslation();
  if (call.leftOut.length === 0) return <Empty text={t("inspector.allSent")} />;
  return (
    <ul className={classes.rows}>
      {call.leftOut.map(({ source, reason }) => (
        <li key={`${source} ${reason}`}>
          <span className={classes.source}>✕ {sourceWord(source)}</span>
          <span className={classes.reason}>{reason}</span>
        </li>
      ))}
    </ul>
  );
}
