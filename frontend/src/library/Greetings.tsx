/** The openings of a card, one box each: the first message first. */
import { Button, Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/ui/IconButton";
import classes from "./Sheet.module.css";

interface GreetingsProps {
  greetings: readonly string[];
  change: (greetings: string[]) => void;
}

export function Greetings({ greetings, change }: GreetingsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.texts}>
      <legend>{t("library.greeting")}</legend>
      {greetings.map((greeting, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an opening is known by its number
        <div key={at} className={classes.one}>
          <Textarea
            aria-label={t("library.greetingN", { n: at + 1 })}
            autosize
            minRows={2}
            maxRows={14}
            value={greeting}
            onChange={(event) => change(greetings.with(at, event.currentTarget.value))}
          />
          {greetings.length > 1 && (
            <IconButton
              icon="close"
              label={t("library.greetingGone", { n: at + 1 })}
              onClick={() => change(greetings.toSpliced(at, 1))}
              size={44}
            />
          )}
        </div>
      ))}
      <Button variant="subtle" onClick={() => change([...greetings, ""])}>
        {t("library.greetingMore")}
      </Button>
    </fieldset>
  );
}
