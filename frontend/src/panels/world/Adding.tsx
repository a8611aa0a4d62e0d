/** A new entry by its name, with a value where it has one; folded until it is wanted. */
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { Icon } from "@/ui/icons";
import classes from "../Panels.module.css";

interface AddingProps {
  word: string;
  label: string;
  /** The label of its value; without it, there is none. */
  valued?: string;
  add: (name: string, value: string) => Promise<unknown>;
}

export function Adding({ word, label, valued, add }: AddingProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  useEscape(open, () => setOpen(false));
  const adding = useMutation({
    mutationFn: () => add(name.trim(), value.trim()),
    onSuccess: () => {
      setName("");
      setValue("");
      setOpen(false);
    },
  });
  if (!open) {
    return (
      <Button
        variant="subtle"
        className={classes.plain}
        leftSection={<Icon name="add" size={18} />}
        onClick={() => setOpen(true)}
      >
        {word}
      </Button>
    );
  }
  const empty = name.trim() === "" || (valued !== undefined && value.trim() === "");
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!empty) adding.mutate();
      }}
    >
      <TextInput
        autoFocus
        label={label}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {valued !== undefined && (
        <TextInput
          label={valued}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      )}
      {adding.error !== null && <ErrorNote error={adding.error} />}
      <div className={classes.buttons}>
        <Button type="submit" loading={adding.isPending} disabled={empty}>
          {t("common.save")}
        </Button>
        <Button variant="subtle" onClick={() => setOpen(false)}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
