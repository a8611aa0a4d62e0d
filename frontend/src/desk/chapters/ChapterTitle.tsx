/** The title of a chapter, asked where it will stand: for a new one, and for one that gets another. */
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useEscape } from "@/ui/escape";
import { Refused } from "../Refused";
import classes from "./Chapters.module.css";
import { fitting } from "./naming";

interface Asked {
  readonly initial: string;
  readonly verb: string;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onTitle: (title: string) => void;
  readonly onClose: () => void;
}

export function ChapterTitle({ initial, verb, pending, error, onTitle, onClose }: Asked) {
  const { t } = useTranslation();
  const [title, setTitle] = useState(initial);
  const fits = fitting(title) !== "";
  useEscape(true, onClose);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (fits) onTitle(title);
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
        <Button type="submit" variant="filled" disabled={!fits} loading={pending}>
          {verb}
        </Button>
        <Button onClick={onClose}>{t("common.cancel")}</Button>
      </div>
      {error !== null && <Refused error={error} />}
    </form>
  );
}
