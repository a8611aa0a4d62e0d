/** One entry, whole: its keys, its rules in words, its text as plain text. */
import { useTranslation } from "react-i18next";
import classes from "./Lorebooks.module.css";
import type { Entry } from "./types";

const LOGICS = ["any", "notAll", "none", "all"] as const;
const POSITIONS = [
  "beforeCharacter",
  "afterCharacter",
  "noteTop",
  "noteBottom",
  "atDepth",
  "beforeExamples",
  "afterExamples",
  "outlet",
] as const;

export function EntryView({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const logic = LOGICS[entry.logic] ?? "any";
  const position = POSITIONS[entry.position] ?? "beforeCharacter";
  const timed = entry.sticky > 0 || entry.cooldown > 0 || entry.delay > 0;
  return (
    <>
      <dl className={classes.list}>
        {!entry.enabled && <Line name={t("lorebooks.off")} value="✓" />}
        {entry.constant && <Line name={t("lorebooks.constant")} value="✓" />}
        <Line name={t("lorebooks.keys")} value={entry.keys.join(" · ")} />
        {entry.secondary.length > 0 && (
          <Line
            name={t("lorebooks.secondary")}
            value={`${t(`lorebooks.logic.${logic}`)} ${entry.secondary.join(" · ")}`}
          />
        )}
        <Line
          name={t("lorebooks.place")}
          value={t(`lorebooks.position.${position}`, { depth: entry.depth })}
        />
        <Line name={t("lorebooks.weight")} value={String(entry.order)} />
        {entry.probability < 100 && (
          <Line name={t("lorebooks.chance")} value={`${entry.probability} %`} />
        )}
        {entry.scan_depth !== null && (
          <Line
            name={t("lorebooks.scanDepth")}
            value={t("lorebooks.messages", { count: entry.scan_depth })}
          />
        )}
        {entry.group.length > 0 && (
          <Line name={t("lorebooks.group")} value={entry.group.join(" · ")} />
        )}
      </dl>
      {timed && <p className={classes.facts}>{t("lorebooks.timing", entry)}</p>}
      <p className={classes.text} dir="auto">
        {entry.content}
      </p>
    </>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
