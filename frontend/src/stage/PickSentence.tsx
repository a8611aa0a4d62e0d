/** The sentences of a reply to choose from by keys; the chosen one is selected, as a pointer would select it,
 * and what can be done with it takes the focus. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { tongueOf } from "@/reading/tongue";
import { Empty } from "@/ui/Empty";
import classes from "./Selected.module.css";
import { sentencesOf } from "./sentences";
import { pickedByKeys } from "./useSelected";

export default function PickSentence({ turn, onDone }: { turn: string; onDone: () => void }) {
  const { t } = useTranslation();
  const [sentences] = useState(() => sentencesOf(turn));
  if (sentences.length === 0) return <Empty text={t("stage.noSentences")} />;
  return (
    <ol className={classes.sentences}>
      {sentences.map(({ text, range }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two sentences may be the same
        <li key={at}>
          <button
            type="button"
            className={classes.sentence}
            data-autofocus={at === 0 || undefined}
            // biome-ignore lint/a11y/noAutofocus: the dialog was asked for to choose in it
            autoFocus={at === 0}
            lang={tongueOf(text) ?? undefined}
            onClick={() => {
              onDone();
              pickedByKeys(range);
            }}
          >
            {text}
          </button>
        </li>
      ))}
    </ol>
  );
}
