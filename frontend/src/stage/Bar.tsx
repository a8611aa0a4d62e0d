/** The bar of a story: its name and turn, search, map, panels, and what belongs to the whole story. */
import { Menu } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { useParam } from "@/app/param";
import { PanelButtons } from "@/panels/PanelButtons";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";
import { useWide } from "@/ui/useWide";
import classes from "./Bar.module.css";
import { Sheets } from "./Sheets";
import { useStage } from "./stage";
import { useMoves } from "./verbs";
import { useWho, WhoFace } from "./Who";

export function Bar() {
  const { t } = useTranslation();
  const { project, rows, busy } = useStage();
  const wide = useWide();
  const [, go] = useLocation();
  const [, setSheet] = useParam("sheet");
  const [menu, setMenu] = useState(false);
  const { undo, redo } = useMoves();
  const who = useWho(project);
  const failure = undo.error ?? redo.error;
  const size = wide ? 36 : 44;
  const number = rows.at(-1)?.number ?? 0;
  return (
    <>
      <header className={classes.bar}>
        {!wide && (
          <Link href="/" className={classes.home} aria-label={t("common.home")}>
            <Icon name="home" />
          </Link>
        )}
        <h1 className={classes.title}>
          <span lang={project.language}>{project.title}</span>
          {number > 0 && (
            <span className={classes.number}> {t("stage.turnShort", { n: number })}</span>
          )}
        </h1>
        {wide && who?.href != null && (
          <Link
            href={who.href}
            className={classes.who}
            aria-label={t("stage.who", { name: who.name })}
            title={t("stage.who", { name: who.name })}
          >
            <WhoFace worn={who} />
          </Link>
        )}
        <IconButton
          icon="search"
          size={size}
          label={t("stage.find")}
          onClick={() => setSheet("find")}
        />
        {wide && (
          <>
            <IconButton
              icon="map"
              label={t("stage.map")}
              onClick={() => go(`/p/${project.id}/map`)}
            />
            <IconButton
              icon="text"
              label={t("stage.reading")}
              onClick={() => setSheet("reading")}
            />
          </>
        )}
        <PanelButtons />
        <Menu opened={menu} onChange={setMenu} position="bottom-end" withinPortal>
          <Menu.Target>
            <IconButton icon="more" size={size} label={t("stage.storyMenu")} />
          </Menu.Target>
          <Menu.Dropdown>
            {who !== null && (
              <Menu.Item
                leftSection={<WhoFace worn={who} />}
                onClick={() => who.href !== null && go(who.href)}
              >
                {t("stage.who", { name: who.name })}
              </Menu.Item>
            )}
            {!wide && (
              <Menu.Item
                leftSection={<Icon name="map" />}
                onClick={() => go(`/p/${project.id}/map`)}
              >
                {t("stage.map")}
              </Menu.Item>
            )}
            {!wide && (
              <Menu.Item leftSection={<Icon name="text" />} onClick={() => setSheet("reading")}>
                {t("stage.reading")}
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<Icon name="undo" />}
              disabled={busy}
              onClick={() => undo.mutate()}
            >
              {t("stage.undoTurn")}
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="redo" />}
              disabled={busy}
              onClick={() => redo.mutate()}
            >
              {t("common.redo")}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="save" />} onClick={() => setSheet("saves")}>
              {t("stage.saves")}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setSheet("note")}>
              {t("stage.note")}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="book" />} onClick={() => setSheet("book")}>
              {t("manuscript.makeBook")}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="scenario" />} onClick={() => setSheet("scenario")}>
              {t("scenarios.choose")}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="inspect" />} onClick={() => setSheet("keys")}>
              {t("stage.shortcuts")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </header>
      {failure !== null && <ErrorNote error={failure} />}
      <Sheets />
    </>
  );
}
