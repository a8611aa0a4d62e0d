/** The title of a chapter, changed where it stands. */
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useEscape } from "@/ui/escape";
import { Refused } from "../Refused";
import classes from "./Chapters.module.css";
import { fitting, titleOf } from "./naming";
import type { ChapterItem } from "./useChapters";
import { useRename } from "./verbs";

export function Renaming({ one, onDone }: { one: ChapterItem; onDone: () => void }) {
  const { t } = useTranslation();
  const [title, setTitle] = useState(titleOf(one.name));
  const rename = useRename();
  useEscape(true, onDone);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (fitting(title) !== "") rename.mutate({ one, title }, { onSuccess: onDone });
      }}
    >
      <TextInput
        autoFocus
        label={t("desk.chapterTitle")}
        value={title}
        maxLength={80}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button
          type="submit"
          variant="filled"
          disabled={fitting(title) === ""}
          loading={rename.isPending}
        >
          {t("desk.rename")}
        </Button>
        <Button onClick={onDone}>{t("common.cancel")}</Button>
      </div>
      {rename.error !== null && <Refused error={rename.error} />}
    </form>
  );
}
