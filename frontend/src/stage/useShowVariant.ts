/** Going from one telling of the same words to another. For a reply in the middle of the story that means
 * standing there; the toast leads back. */
import { useTranslation } from "react-i18next";
import type { PathItem } from "@/api/types";
import { useStage } from "./stage";
import { useMoves } from "./verbs";

export function useShowVariant(item: PathItem) {
  const { t } = useTranslation();
  const { rows } = useStage();
  const { goTo, back, greet } = useMoves();
  const all = item.variants.length === 0 ? [item.id] : item.variants;
  const at = all.indexOf(item.id);
  const atEnd = rows.at(-1)?.id === item.id;
  const show = (index: number) => {
    const turn = all[index];
    if (turn === undefined || turn === item.id) return;
    if (item.kind === "greeting" && atEnd) greet.mutate(index);
    else if (atEnd) back.mutate(turn);
    else goTo.mutate({ turn, text: t("stage.standingAt", { n: item.number }) });
  };
  return { at, all, show, error: goTo.error ?? back.error ?? greet.error };
}
