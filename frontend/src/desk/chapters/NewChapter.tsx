/** A new chapter behind all others: its title is asked where its button stands. */
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useEscape } from "@/ui/escape";
import { Icon } from "@/ui/icons";
import { Refused } from "../Refused";
import classes from "./Chapters.module.css";
import { fitting } from "./naming";
import { useNewChapter } from "./verbs";

export function NewChapter() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [title, setTitle] = useState("");
  const make = useNewChapter();
  const close = () => {
    setOpen(false);
    setTitle("");
  };
  useEscape(open, close);
  if (!open) {
    return (
      <Button
        className={classes.new}
        variant="subtle"
        leftSection={<Icon name="add" />}
        onClick={() => setOpen(true)}
      >
        {t("desk.newChapter")}
      </Button>
    );
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (fitting(title) !== "") make.mutate({ title, text: "" }, { onSuccess: close });
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
          loading={make.isPending}
        >
          {t("desk.make")}
        </Button>
        <Button onClick={close}>{t("common.cancel")}</Button>
      </div>
      {make.error !== null && <Refused error={make.error} />}
    </form>
  );
}
