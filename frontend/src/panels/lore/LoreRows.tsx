/** The entries of a choice, in and out, each with its reason as a row of its own. */
import { Button } from "@mantine/core";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { amount } from "@/ui/amounts";
import classes from "./Lore.module.css";
import type { EntryIn, EntryOut, LoreTold } from "./types";

interface LoreRowsProps {
  found: LoreTold;
  /** Asks for more of those that are out. */
  onMore?: (() => void) | undefined;
}

export function LoreRows({ found, onMore }: LoreRowsProps) {
  const { t } = useTranslation();
  const more = found.left_out_total - found.left_out.length;
  return (
    <>
      <h2 className={classes.heading}>{t("lore.in", { n: amount(found.chosen.length) })}</h2>
      {found.chosen.length === 0 && <p className={classes.facts}>{t("lore.noneIn")}</p>}
      <ul className={classes.rows}>
        {found.chosen.map((entry) => (
          <In key={entry.ref} entry={entry} where={placeOf(entry, found)} />
        ))}
      </ul>
      {found.warnings.length > 0 && (
        <>
          <h2 className={classes.heading}>
            {t("lore.warnings", { n: amount(found.warnings.length) })}
          </h2>
          <ul className={classes.rows}>
            {found.warnings.map((one) => (
              <li key={`${one.code} ${one.ref} ${one.detail}`}>
                {one.code} {one.ref}
                <p className={classes.facts}>{one.detail}</p>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2 className={classes.heading}>{t("lore.out", { n: amount(found.left_out_total) })}</h2>
      <ul className={classes.rows}>
        {found.left_out.map((entry) => (
          <Out key={entry.ref} entry={entry} />
        ))}
      </ul>
      {more > 0 && onMore !== undefined && (
        <Button onClick={onMore}>{t("lore.more", { n: amount(more) })}</Button>
      )}
      {more > 0 && onMore === undefined && (
        <p className={classes.facts}>{t("lorebooks.outMore", { n: amount(more) })}</p>
      )}
      {found.uncounted > 0 && (
        <p className={classes.facts}>{t("lore.uncounted", { n: amount(found.uncounted) })}</p>
      )}
    </>
  );
}

function In({ entry, where }: { entry: EntryIn; where: string }) {
  const { t } = useTranslation();
  return (
    <li>
      <Name title={entry.title} book={entry.book} />
      <p className={classes.why}>
        {wordsFor("chosenBy", entry.reason)}
        {entry.key !== "" && ` · ${t("lore.key", { key: entry.key, where })}`}
      </p>
      <p className={classes.facts}>
        {t("lorebooks.tokens", { n: amount(entry.tokens) })} · {t(`lore.placed.${entry.place}`)}
      </p>
      {entry.unplaced !== "" && (
        <p className={classes.facts}>{t("lore.unplaced", { place: entry.unplaced })}</p>
      )}
      {entry.text !== "" && (
        <details className={classes.fold}>
          <summary>{t("lore.showText")}</summary>
          <p className={classes.text}>{entry.text}</p>
        </details>
      )}
    </li>
  );
}

function Out({ entry }: { entry: EntryOut }) {
  const { t } = useTranslation();
  return (
    <li data-out>
      <Name title={entry.title} book={entry.book} />
      <p className={classes.why}>{wordsFor("leftBy", entry.reason)}</p>
      {entry.detail !== "" && <p className={classes.facts}>{entry.detail}</p>}
      {entry.place === "title" && <p className={classes.facts}>{t("lore.byTitle")}</p>}
    </li>
  );
}

function Name({ title, book }: { title: string; book: string }) {
  const { t } = useTranslation();
  return (
    <p className={classes.name}>
      <strong>{title || t("lore.untitled")}</strong>
      {book !== "" && <span className={classes.facts}> {book}</span>}
    </p>
  );
}

/** A reason in the reader's words; one of a later server as its code. */
function wordsFor(kind: "chosenBy" | "leftBy", reason: string): string {
  const known = `lorebooks.${kind}.${reason}`;
  return i18next.exists(known) ? String(i18next.t(known as "lorebooks.in")) : reason;
}

/** Where a key was found: in what was said, in a message, or in an entry that came in before. */
function placeOf(entry: EntryIn, found: LoreTold): string {
  if (entry.where === "words") return i18next.t("lorebooks.theText");
  const message = /^message (\d+)$/.exec(entry.where);
  if (message !== null) return i18next.t("lore.message", { n: message[1] });
  const through = found.chosen.find((one) => entry.where === `recursion ${one.ref}`);
  if (through === undefined) return entry.where;
  return i18next.t("lorebooks.anEntry", { title: through.title });
}
