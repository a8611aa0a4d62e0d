/** What can be done with one turn, beside what stands in the open. */
import { Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { PathItem } from "@/api/types";
import { useParam } from "@/app/param";
import { Icon } from "@/ui/icons";
import { useEditing } from "./edits";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { replyOf } from "./transcript";
import { useBranch } from "./useBranch";
import { continuable, useContinue } from "./useContinue";
import { useMoves } from "./verbs";

export function TurnMenu({ item, last }: { item: PathItem; last: boolean }) {
  const { t } = useTranslation();
  const { project, busy } = useStage();
  const { undo, goTo } = useMoves();
  const branch = useBranch();
  const more = useContinue();
  const editing = useEditing();
  const clipboard = useClipboard();
  const [, go] = useLocation();
  const [, setSheet] = useParam("sheet");
  return (
    <>
      {last && continuable(item) && (
        <Menu.Item
          leftSection={<Icon name="down" />}
          disabled={busy || editing}
          onClick={() => more.mutate(item)}
        >
          {t("stage.continue")}
        </Menu.Item>
      )}
      {last && item.kind === "turn" && (
        <Menu.Item leftSection={<Icon name="undo" />} disabled={busy} onClick={() => undo.mutate()}>
          {t("stage.undoTurn")}
        </Menu.Item>
      )}
      {!last && (
        <Menu.Item
          leftSection={<Icon name="returnTo" />}
          disabled={busy}
          onClick={() =>
            goTo.mutate({ turn: item.id, text: t("stage.standingAt", { n: item.number }) })
          }
        >
          {t("stage.returnHere")}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<Icon name="branch" />} disabled={busy} onClick={() => branch(item)}>
        {t("stage.branch")}
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="save" />} onClick={() => setSheet(`save.${item.id}`)}>
        {t("stage.saveHere")}
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="text" />} onClick={() => setSheet(`sentence.${item.id}`)}>
        {t("stage.pickSentence")}
      </Menu.Item>
      <Menu.Item
        leftSection={<Icon name="edit" />}
        onClick={() => setSheet(`revisions.${item.id}`)}
      >
        {t("stage.revisions")}
      </Menu.Item>
      <Menu.Item
        leftSection={<Icon name="inspect" />}
        onClick={() => go(`/p/${project.id}/inspect/${item.id}`)}
      >
        {t("stage.inspect")}
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="copy" />} onClick={() => clipboard.copy(replyOf(item))}>
        {t("common.copy")}
      </Menu.Item>
      {editing && <p className={classes.facts}>{t("stage.whileEditing")}</p>}
    </>
  );
}
