/** A refusal to take a turn back: where chapters were edited since, their names and the way over them. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./History.module.css";
import { shortOf } from "./record";

interface ConflictedProps {
  error: unknown;
  /** What to do all the same. */
  onForce: () => void;
  pending: boolean;
}

export function Conflicted({ error, onForce, pending }: ConflictedProps) {
  const { t } = useTranslation();
  const { code, facts } = asRefusal(error);
  if (code === "nothing_to_undo" || code === "nothing_to_redo") {
    return <ErrorNote error={error} text={t(`manuscript.${code}`)} />;
  }
  if (code !== "conflict") return <ErrorNote error={error} />;
  const files = Array.isArray(facts.files) ? facts.files.map(String).map(shortOf) : [];
  return (
    <div className={classes.notice} role="alert">
      <p>{t("manuscript.editedSince", { names: files.join(t("manuscript.comma")) })}</p>
      <Button loading={pending} onClick={onForce}>
        {t("manuscript.allTheSame")}
      </Button>
    </div>
  );
}
