/** The texts of a card, folded; what looks like a page in them is shown as the text it is. */
import { useTranslation } from "react-i18next";
import classes from "./Sheet.module.css";
import type { CardEntry } from "./types";

type Fields = NonNullable<CardEntry["fields"]>;

export function CardTexts({ fields }: { fields: Fields }) {
  const { t } = useTranslation();
  const texts = [
    ["notes", fields.creator_notes],
    ["description", fields.description],
    ["personality", fields.personality],
    ["setting", fields.scenario],
    ["example", fields.example],
    ["systemPrompt", fields.system_prompt],
    ["postHistory", fields.post_history],
  ] as const;
  return (
    <div>
      {texts
        .filter(([, text]) => text.trim() !== "")
        .map(([name, text]) => (
          <details key={name} className={classes.fold} open={name === "description"}>
            <summary>{t(`library.${name}`)}</summary>
            <p className={classes.text} dir="auto">
              {text}
            </p>
          </details>
        ))}
    </div>
  );
}
