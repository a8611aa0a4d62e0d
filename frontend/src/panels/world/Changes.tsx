/** What became different in the ledger: each place with what was and what is there. */
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import classes from "../Panels.module.css";
import type { Change } from "./ledger";
import type { Path } from "./places";

export function Changes({ changes }: { changes: readonly Change[] }) {
  const { t } = useTranslation();
  if (changes.length === 0) return <p className={classes.facts}>{t("world.noChange")}</p>;
  return (
    <ul className={classes.changes}>
      {changes.map((change) => (
        <li key={change.path.join("\n")}>
          {spelled(change.path)}{" "}
          {!isEmpty(change.before) && (
            <del>
              <span className="only-spoken">{t("common.deleted")}</span>
              {plain(change.before)}
            </del>
          )}
          {!isEmpty(change.after) && (
            <ins>
              <span className="only-spoken">{t("common.inserted")}</span>
              {plain(change.after)}
            </ins>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A path in the reader's words; names stay as the story has them. */
function spelled([section = "", ...rest]: Path): string {
  const [name, field] = rest;
  if (name === undefined) return worded(section);
  if (section === "roster") return [worded("roster"), ...rest.slice(1)].join(" · ");
  return field === undefined ? name : `${name} · ${worded(field)}`;
}

function worded(part: string): string {
  const key = `world.${part}`;
  return i18next.exists(key) ? String(i18next.t(key as "world.time")) : part;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** A value as one line. */
function plain(value: unknown): string {
  if (typeof value === "string") return value === "" ? i18next.t("world.none") : value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(plain).join(i18next.t("world.comma"));
  if (typeof value !== "object" || value === null) return i18next.t("world.none");
  return Object.values(value)
    .filter((one) => one !== "" && one !== null)
    .map(plain)
    .join(i18next.t("world.comma"));
}
