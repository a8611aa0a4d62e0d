/** The folder to be looked at. */
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Moving.module.css";

interface FolderProps {
  folder: string;
  onLook: (folder: string) => void;
}

export function Folder({ folder, onLook }: FolderProps) {
  const { t } = useTranslation("moving");
  const [path, setPath] = useState(folder);
  const named = path.trim();
  return (
    <form
      className={classes.folder}
      onSubmit={(event) => {
        event.preventDefault();
        if (named !== "") onLook(named);
      }}
    >
      <TextInput
        className={classes.path}
        label={t("folder")}
        description={t("folderHint")}
        placeholder="~/SillyTavern/data/default-user"
        maxLength={4096}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <Button type="submit" variant={folder === "" ? "filled" : "default"} disabled={named === ""}>
        {t("look")}
      </Button>
    </form>
  );
}
