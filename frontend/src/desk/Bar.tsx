/** The bar of a book: its name and length, and what belongs to the whole book. */
import { Menu } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useParam } from "@/app/param";
import { PanelButtons } from "@/panels/PanelButtons";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";
import { useWide } from "@/ui/useWide";
import classes from "./Desk.module.css";
import { useDesk } from "./desk";
import { DESK_PANELS } from "./panels";

export function Bar() {
  const { t } = useTranslation();
  const { project, chapters } = useDesk();
  const wide = useWide();
  const [, setPanel] = useParam("panel");
  const [, setSheet] = useParam("sheet");
  const [focus, setFocus] = useParam("focus");
  const total = chapters.reduce((sum, one) => sum + (one.chars ?? 0), 0);
  const size = wide ? 36 : 44;
  return (
    <header className={classes.bar}>
      {!wide && (
        <Link href="/" className={classes.home} aria-label={t("common.home")}>
          <Icon name="home" />
        </Link>
      )}
      <h1 className={classes.title}>
        <span lang={project.language}>{project.title}</span>
        <span className={classes.count}> {t("desk.chars", { n: total.toLocaleString() })}</span>
      </h1>
      <IconButton
        icon="focus"
        size={size}
        label={t(focus === null ? "desk.focus" : "desk.unfocus")}
        pressed={focus !== null}
        onClick={() => setFocus(focus === null ? "1" : null)}
      />
      <PanelButtons />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <IconButton icon="more" size={size} label={t("desk.bookMenu")} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="text" />} onClick={() => setSheet("reading")}>
            {t("stage.reading")}
          </Menu.Item>
          {DESK_PANELS.map((one) => (
            <Menu.Item
              key={one.id}
              leftSection={<Icon name={one.icon} />}
              onClick={() => setPanel(one.id)}
            >
              {t(`desk.panel.${one.id}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </header>
  );
}
