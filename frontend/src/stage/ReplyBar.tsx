/** What stands under a reply: variants, what can be done, and what it rests on and cost. */
import { Menu } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PathItem } from "@/api/types";
import { useParam } from "@/app/param";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { beginEdit, openEdit, useEdit, useEditing } from "./edits";
import { Facts } from "./Facts";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { TurnMenu } from "./TurnMenu";
import { Variants } from "./Variants";
import { useVariant } from "./verbs";

export function ReplyBar({ item, last }: { item: PathItem; last: boolean }) {
  const { t } = useTranslation();
  const { busy } = useStage();
  const edit = useEdit(item.id);
  const editing = useEditing();
  const variant = useVariant();
  const [menu, setMenu] = useState(false);
  const [, setPanel] = useParam("panel");
  return (
    <div className={classes.replyBar} data-last={last || undefined}>
      <Variants item={item} />
      <IconButton
        icon="edit"
        label={t("stage.edit")}
        disabled={busy || edit?.open === true}
        onClick={() => (edit === null ? beginEdit(item, null) : openEdit(edit))}
      />
      {item.kind === "turn" && last && (
        <IconButton
          icon="again"
          label={t("stage.another")}
          disabled={busy || editing || variant.isPending}
          onClick={() => variant.mutate({ turn: item.id })}
        />
      )}
      <Menu opened={menu} onChange={setMenu} position="bottom-start" withinPortal>
        <Menu.Target>
          <IconButton icon="more" label={t("common.more")} />
        </Menu.Target>
        <Menu.Dropdown>{menu && <TurnMenu item={item} last={last} />}</Menu.Dropdown>
      </Menu>
      {edit !== null && !edit.open && (
        <button type="button" className={classes.chip} onClick={() => openEdit(edit)}>
          {t("stage.unsaved")}
        </button>
      )}
      <Facts item={item} onLore={() => setPanel("lore")} />
      {variant.error !== null && <ErrorNote error={variant.error} />}
    </div>
  );
}
