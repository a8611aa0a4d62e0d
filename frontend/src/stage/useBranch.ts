/** Begin a branch at a turn: the story stands there and the box waits for other words. */
import { useTranslation } from "react-i18next";
import type { PathItem } from "@/api/types";
import { useStage } from "./stage";
import { useMoves } from "./verbs";

export function useBranch(): (item: PathItem) => void {
  const { t } = useTranslation();
  const { project } = useStage();
  const { goTo } = useMoves();
  return (item) => {
    const text = t("stage.branching", { n: item.number });
    if (item.id !== project.head) goTo.mutate({ turn: item.id, text }, { onSuccess: focusBox });
    else focusBox();
  };
}

export function focusBox(): void {
  document.querySelector<HTMLTextAreaElement>("[data-composer]")?.focus();
}
