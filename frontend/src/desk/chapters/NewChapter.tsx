/** A new chapter behind all others: its title is asked where its button stands. */
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "@/ui/icons";
import classes from "./Chapters.module.css";
import { ChapterTitle } from "./ChapterTitle";
import { useNewChapter } from "./verbs";

export function NewChapter() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const make = useNewChapter();
  const close = () => setOpen(false);
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
    <ChapterTitle
      initial=""
      verb={t("desk.make")}
      pending={make.isPending}
      error={make.error}
      onTitle={(title) => make.mutate({ title, text: "" }, { onSuccess: close })}
      onClose={close}
    />
  );
}
