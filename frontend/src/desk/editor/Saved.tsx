/** How far the text of a chapter is stored. A failure stays, with the way to try again. */
import { useTranslation } from "react-i18next";
import { Refused } from "../Refused";
import type { Saving } from "./openchapter";
import classes from "./Text.module.css";

export function Saved({ saving, onRetry }: { saving: Saving; onRetry: () => void }) {
  const { t } = useTranslation();
  if (saving.kind === "failed") return <Refused error={saving.error} onRetry={onRetry} />;
  return (
    <span className={classes.saved} data-saving={saving.kind}>
      {t(`desk.saving.${saving.kind}`)}
    </span>
  );
}
