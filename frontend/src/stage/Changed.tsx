/** A turn that changed an earlier text: said in one line, which opens into the difference by words. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PathItem } from "@/api/types";
import { WordDiff } from "@/ui/WordDiff";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { useDiff } from "./useDiff";

interface ChangedProps {
  item: PathItem;
  /** Whether it is open from the beginning. */
  open?: boolean;
}

export function Changed({ item, open: first }: ChangedProps) {
  const { t } = useTranslation();
  const { rows } = useStage();
  const [open, setOpen] = useState(first === true);
  const { revises } = item;
  const number = rows.find((row) => row.id === revises?.turn)?.number;
  const before = revises == null ? null : `final:${revises.turn}:${revises.version - 1}`;
  const diff = useDiff(open ? before : null, `revision:${item.id}`);
  return (
    <div>
      <button
        type="button"
        className={classes.fact}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {number === undefined ? t("stage.changedEarlier") : t("stage.changed", { n: number })}
      </button>
      {open && diff.data !== undefined && <WordDiff diff={diff.data} folded />}
    </div>
  );
}
