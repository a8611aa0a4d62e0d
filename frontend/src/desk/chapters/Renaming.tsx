/** The title of a chapter, changed where it stands. */
import { useTranslation } from "react-i18next";
import { ChapterTitle } from "./ChapterTitle";
import { titleOf } from "./naming";
import type { ChapterItem } from "./useChapters";
import { useRename } from "./verbs";

export function Renaming({ one, onDone }: { one: ChapterItem; onDone: () => void }) {
  const { t } = useTranslation();
  const rename = useRename();
  return (
    <ChapterTitle
      initial={titleOf(one.name)}
      verb={t("desk.rename")}
      pending={rename.isPending}
      error={rename.error}
      onTitle={(title) => rename.mutate({ one, title }, { onSuccess: onDone })}
      onClose={onDone}
    />
  );
}
