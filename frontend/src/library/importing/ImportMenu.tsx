/** The button that imports: files or a whole folder from the browser's own picker, or an installation. */
import { Button, Menu } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon } from "@/ui/icons";
import classes from "./Importing.module.css";
import { send } from "./queue";

export function ImportMenu() {
  const { t } = useTranslation();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => folder.current?.setAttribute("webkitdirectory", ""), []);
  const take = (input: HTMLInputElement) => {
    void send([...(input.files ?? [])]);
    input.value = "";
  };
  const hidden = { type: "file", multiple: true, hidden: true, tabIndex: -1 } as const;
  return (
    <>
      <input
        ref={files}
        {...hidden}
        aria-label={t("library.importFiles")}
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={folder}
        {...hidden}
        aria-label={t("library.importFolder")}
        onChange={(event) => take(event.currentTarget)}
      />
      <Menu position="bottom-end" withinPortal classNames={{ item: classes.way }}>
        <Menu.Target>
          <Button leftSection={<Icon name="add" size={18} />}>{t("library.import")}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => files.current?.click()}>{t("library.importFiles")}</Menu.Item>
          <Menu.Item onClick={() => folder.current?.click()}>{t("library.importFolder")}</Menu.Item>
          <Menu.Item component={Link} href="/library/move">
            {t("library.moveIn")}
          </Menu.Item>
          <Menu.Label className={classes.hint}>{t("library.importHint")}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
