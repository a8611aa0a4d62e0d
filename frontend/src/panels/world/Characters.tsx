/** How everybody stands: affinity, status, place, notes. */
import { useTranslation } from "react-i18next";
import classes from "../Panels.module.css";
import { Adding } from "./Adding";
import { Lock } from "./Lock";
import { type Ledger, useBook } from "./ledger";
import { Place } from "./Place";
import { FIELDS } from "./places";
import { Removing } from "./Removing";

type Character = Ledger["ledger"]["characters"][string];

export function Characters() {
  const { t } = useTranslation();
  const { ledger, fixed, edit } = useBook();
  const people = Object.entries(ledger.ledger.characters);
  return (
    <section className={classes.section}>
      <h3>{t("world.characters")}</h3>
      {people.length === 0 && <p className={classes.facts}>{t("world.nobody")}</p>}
      {people.map(([name, character]) => (
        <Person key={name} name={name} character={character} />
      ))}
      {!fixed && (
        <Adding
          word={t("world.addCharacter")}
          label={t("world.name")}
          add={(name) => edit({ characters: { [name]: { affinity: 0 } } })}
        />
      )}
    </section>
  );
}

function Person({ name, character }: { name: string; character: Character }) {
  const { t } = useTranslation();
  const path = ["characters", name];
  return (
    <section className={classes.person} aria-label={name}>
      <div className={classes.head}>
        <h4>{name}</h4>
        <Lock path={path} label={name} />
        <Removing path={path} label={name} />
      </div>
      {FIELDS.map((field) => (
        <Place
          key={field}
          path={[...path, field]}
          label={t(`world.${field}`)}
          value={shownValue(character, field)}
          read={(text) => readField(field, text)}
          {...(field === "affinity" ? { hint: t("world.affinityRange") } : {})}
        />
      ))}
    </section>
  );
}

function shownValue(character: Character, field: (typeof FIELDS)[number]): string {
  if (field !== "affinity") return character[field] ?? "";
  return character.affinity > 0 ? `+${character.affinity}` : `${character.affinity}`;
}

/** What is no number goes as it was typed: the server says what it makes of it. */
function readField(field: (typeof FIELDS)[number], text: string): string | number | null {
  if (field === "location" && text.trim() === "") return null;
  if (field !== "affinity") return text;
  const number = Number(text.trim().replace("＋", "+").replace(/[−－]/, "-"));
  return text.trim() === "" || Number.isNaN(number) ? text : number;
}
