/** The counter of variants, from 1/1, with its arrows; the number opens the list with the full texts. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PathItem } from "@/api/types";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { useShowVariant } from "./useShowVariant";
import { VariantList } from "./VariantList";

export function Variants({ item }: { item: PathItem }) {
  const { t } = useTranslation();
  const { busy } = useStage();
  const { at, all, show, error } = useShowVariant(item);
  const [open, setOpen] = useState(false);
  return (
    <span className={classes.variants}>
      <IconButton
        icon="back"
        label={t("stage.previousVariant")}
        disabled={busy || at <= 0}
        onClick={() => show(at - 1)}
      />
      <button
        type="button"
        className={classes.counter}
        aria-label={t("stage.variantOf", { n: at + 1, all: all.length })}
        onClick={() => setOpen(true)}
      >
        {at + 1}/{all.length}
      </button>
      <IconButton
        icon="forward"
        label={t("stage.nextVariant")}
        disabled={busy || at >= all.length - 1}
        onClick={() => show(at + 1)}
      />
      {open && <VariantList item={item} onClose={() => setOpen(false)} />}
      {error !== null && <ErrorNote error={error} />}
    </span>
  );
}
