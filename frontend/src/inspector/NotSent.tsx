/** What was considered and not sent, each with its reason in full. */
import i18next from "i18next";
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
          <span className={classes.reason}>{said(reason)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The reason of a lorebook entry begins with its code: that in the reader's words, and the facts after it. */
function said(reason: string): string {
  const [code = "", ...facts] = reason.split(", ");
  const known = `lorebooks.leftBy.${code}`;
  if (!i18next.exists(known)) return reason;
  return [String(i18next.t(known as "lorebooks.in")), ...facts].join(" ");
}
