/** A note of the reader's own, kept from where the story stands. What is typed outlasts a reload. */
import { Button, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { Icon } from "@/ui/icons";
import { useDraft } from "../drafts";
import classes from "../Panels.module.css";
import { useAdd } from "./notes";

export function AddNote({ project }: { project: string }) {
  const { t } = useTranslation();
  const draft = useDraft(`${project}.note.new`);
  const [title, setTitle] = useState("");
  const add = useAdd(project);
  useEscape(draft.open, draft.leave);
  if (!draft.open) {
    return (
      <Button
        variant="subtle"
        className={classes.plain}
        leftSection={<Icon name="add" size={18} />}
        onClick={() => draft.begin("")}
      >
        {t(draft.kept === null ? "memory.add" : "world.unsaved")}
      </Button>
    );
  }
  const text = draft.kept?.text ?? "";
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(
          { title, text },
          {
            onSuccess: () => {
              setTitle("");
              draft.drop();
            },
          },
        );
      }}
    >
      <TextInput
        label={t("memory.title")}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Textarea
        autoFocus
        autosize
        minRows={3}
        maxRows={12}
        label={t("memory.text")}
        value={text}
        onChange={(event) => draft.type(event.currentTarget.value)}
      />
      {add.error !== null && <ErrorNote error={add.error} />}
      <div className={classes.buttons}>
        <Button type="submit" loading={add.isPending} disabled={text.trim() === ""}>
          {t("common.save")}
        </Button>
        <Button variant="subtle" onClick={draft.drop}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
