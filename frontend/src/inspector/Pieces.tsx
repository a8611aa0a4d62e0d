/** Every piece of the request: where it came from, why, how long it is; its text on demand. */
import i18next from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { amount } from "@/ui/amounts";
import { type Call, type Piece, replyOf, ZONES } from "./call";
import classes from "./Inspector.module.css";

export function Pieces({ call }: { call: Call }) {
  const { t } = useTranslation();
  const reply = replyOf(call.item);
  return (
    <>
      {ZONES.map((zone) => {
        const pieces = call.pieces.filter((one) => one.zone === zone);
        if (pieces.length === 0) return null;
        return (
          <section key={zone} aria-label={t(`inspector.zone.${zone}`)}>
            <h2 className={classes.heading} data-zone={zone}>
              {t(`inspector.zone.${zone}`)}
            </h2>
            {pieces.map((one) => (
              <One key={one.key} piece={one} />
            ))}
          </section>
        );
      })}
      {call.volatile.length > 0 && (
        <p className={classes.facts}>
          {t("inspector.volatile", { names: call.volatile.join(", ") })}
        </p>
      )}
      {call.item.reply !== null && (
        <section aria-label={t("inspector.reply")}>
          <h2 className={classes.heading}>{t("inspector.reply")}</h2>
          {reply.thinking !== "" && (
            <details className={classes.piece}>
              <summary>{t("inspector.thinking")}</summary>
              <p className={classes.text}>{reply.thinking}</p>
            </details>
          )}
          {reply.text !== "" && <p className={classes.text}>{reply.text}</p>}
          {reply.calls.map((one) => (
            <p key={one} className={classes.text}>
              {one}
            </p>
          ))}
        </section>
      )}
    </>
  );
}

function One({ piece }: { piece: Piece }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details
      className={classes.piece}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span className={classes.source}>{sourceWord(piece.source)}</span>
        <span className={classes.tokens}>{amount(piece.tokens)}</span>
        {piece.source.startsWith("turn:") && piece.text !== null && (
          <span className={classes.reason}>{beginningOf(piece.text)}</span>
        )}
        {piece.reason !== "" && <span className={classes.reason}>{piece.reason}</span>}
      </summary>
      {open && <p className={classes.text}>{piece.text ?? t("inspector.inRaw")}</p>}
    </details>
  );
}

/** Where a piece came from, in the reader's words; one that the page does not know by its own name. */
export function sourceWord(source: string): string {
  const [head = "", ...rest] = source.split(/[:.]/u);
  const whole = `inspector.source.${source.replaceAll(".", "_")}`;
  if (!source.includes(":") && i18next.exists(whole)) {
    return String(i18next.t(whole as "inspector.title"));
  }
  const known = `inspector.source.${head}`;
  if (!i18next.exists(known)) return source;
  const word = String(i18next.t(known as "inspector.title"));
  if (head === "turn") return word; // its id says nothing to a reader; its words stand beside it
  return rest.length === 0 ? word : `${word} ${source.slice(head.length + 1)}`;
}

const BEGINNING = 60;

function beginningOf(text: string): string {
  const characters = [...text.trim()];
  const beginning = characters.slice(0, BEGINNING).join("");
  return characters.length > BEGINNING ? `${beginning}…` : beginning;
}
