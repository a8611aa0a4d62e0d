/** What a place of the ledger rests on: the words, and where they stand; where they stand no more, that, and the
 * reader's word that it holds all the same. */
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "../Panels.module.css";
import { useHold } from "./care";
import type { Ledger } from "./ledger";

interface GroundProps {
  project: string;
  path: string;
  ground: Ledger["grounds"][string];
  doubted: boolean;
}

export function Ground({ project, path, ground, doubted }: GroundProps) {
  const { t } = useTranslation();
  const holding = useHold(project);
  const chapter = ground.chapter ?? "";
  return (
    <blockquote className={classes.quote}>
      {ground.quotation}
      <p>
        {chapter === "" ? (
          <Link href={`/p/${project}/t/${ground.turn}?panel=world`}>{t("world.toTurn")}</Link>
        ) : (
          <Link href={`/p/${project}/c/${encodeURIComponent(chapter)}?panel=world`}>{chapter}</Link>
        )}
      </p>
      {doubted && (
        <div className={classes.buttons}>
          <span className={classes.facts}>{t("world.gone")}</span>
          <Button loading={holding.isPending} onClick={() => holding.mutate({ facts: [path] })}>
            {t("world.holds")}
          </Button>
        </div>
      )}
      {holding.error !== null && <ErrorNote error={holding.error} />}
    </blockquote>
  );
}
