/** What the user said in a turn; the words can be changed and sent again, which makes another branch. */
import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PathItem } from "@/api/types";
import { Prose } from "@/reading/Prose";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { IconButton } from "@/ui/IconButton";
import { resending, useResending } from "./resending";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { wordsOf } from "./transcript";
import { useVariant } from "./verbs";

export function Words({ item, last }: { item: PathItem; last: boolean }) {
  const { t } = useTranslation();
  const { busy } = useStage();
  const open = useResending() === item.id;
  const may = item.kind === "turn" && !busy;
  if (open) return <Again item={item} />;
  return (
    <div className={classes.words}>
      <Prose by="user" text={wordsOf(item)} />
      {may && (
        <span className={classes.quiet} data-last={last || undefined}>
          <IconButton icon="edit" label={t("stage.editWords")} onClick={() => resending(item.id)} />
        </span>
      )}
    </div>
  );
}

function Again({ item }: { item: PathItem }) {
  const { t } = useTranslation();
  const [text, setText] = useState(item.user_text);
  const variant = useVariant();
  useEscape(true, () => resending(null));
  return (
    <div className={classes.again}>
      <Textarea
        autosize
        autoFocus
        maxRows={10}
        aria-label={t("stage.editWords")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <p className={classes.facts}>{t("stage.resendKeeps")}</p>
      <div className={classes.buttons}>
        <Button
          variant="filled"
          disabled={text.trim() === ""}
          loading={variant.isPending}
          onClick={() =>
            variant.mutate({ turn: item.id, text }, { onSuccess: () => resending(null) })
          }
        >
          {t("stage.resend")}
        </Button>
        <Button onClick={() => resending(null)}>{t("common.cancel")}</Button>
      </div>
      {variant.error !== null && <ErrorNote error={variant.error} />}
    </div>
  );
}
