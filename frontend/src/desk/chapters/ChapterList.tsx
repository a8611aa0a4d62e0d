/** The chapters in their order, with their lengths; what can be done to one is behind its button. */
import { Menu } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { IconButton } from "@/ui/IconButton";
import { Icon } from "@/ui/icons";
import { useDesk } from "../desk";
import { Refused } from "../Refused";
import classes from "./Chapters.module.css";
import { LeftOut } from "./LeftOut";
import { NewChapter } from "./NewChapter";
import { numberOf, swapped, titleOf } from "./naming";
import { Renaming } from "./Renaming";
import type { ChapterItem } from "./useChapters";
import { useDeleteChapter, useSwap } from "./verbs";

export function ChapterList() {
  const { t } = useTranslation();
  const { chapters } = useDesk();
  const [renaming, setRenaming] = useState<string | null>(null);
  return (
    <nav className={classes.list} aria-label={t("desk.part.chapters")}>
      <ol className={classes.items}>
        {chapters.map((one, at) => (
          <li key={one.name}>
            {renaming === one.name ? (
              <Renaming one={one} onDone={() => setRenaming(null)} />
            ) : (
              <Row
                one={one}
                before={chapters[at - 1]}
                after={chapters[at + 1]}
                onRename={() => setRenaming(one.name)}
              />
            )}
          </li>
        ))}
      </ol>
      <NewChapter />
      <LeftOut />
    </nav>
  );
}

interface RowProps {
  one: ChapterItem;
  before: ChapterItem | undefined;
  after: ChapterItem | undefined;
  onRename: () => void;
}

function Row({ one, before, after, onRename }: RowProps) {
  const { t } = useTranslation();
  const { project, chapter, hrefOf, reviewed } = useDesk();
  const swap = useSwap();
  const remove = useDeleteChapter();
  const failure = swap.error ?? remove.error;
  const changed = reviewed.files.some((file) => file.name === one.name);
  const title = titleOf(one.name);
  return (
    <>
      <div className={classes.item} data-open={one.name === chapter || undefined}>
        <Link
          className={classes.open}
          href={hrefOf(one.name)}
          aria-current={one.name === chapter ? "page" : undefined}
        >
          <span className={classes.number}>{numberOf(one.name)}</span>
          <span className={classes.name} lang={project.language}>
            {title}
            {changed && (
              <span className={classes.mark} title={t("desk.changedByTurn")}>
                ●<span className="only-spoken">{t("desk.changedByTurn")}</span>
              </span>
            )}
          </span>
          <span className={classes.chars}>{one.chars?.toLocaleString() ?? "–"}</span>
        </Link>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <IconButton icon="more" label={t("desk.chapterMenu", { name: title })} />
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Icon name="edit" />} onClick={onRename}>
              {t("desk.rename")}
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="up" />}
              disabled={before === undefined || swapped(before.name, one.name) === null}
              onClick={() => before && swap.mutate({ first: before, second: one })}
            >
              {t("desk.moveUp")}
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="down" />}
              disabled={after === undefined || swapped(one.name, after.name) === null}
              onClick={() => after && swap.mutate({ first: one, second: after })}
            >
              {t("desk.moveDown")}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="trash" />} onClick={() => remove.mutate(one)}>
              {t("desk.delete")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {failure !== null && <Refused error={failure} />}
    </>
  );
}
