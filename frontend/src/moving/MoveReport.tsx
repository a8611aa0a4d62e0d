/** What became of each file of a move that is over: what came by kind, then file by file. */
import { Button, NativeSelect } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ReportItem } from "@/library/importing/ReportItem";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import classes from "./Moving.module.css";
import { cameOf, chosen, WHICH, type Which } from "./report";
import type { MoveItem } from "./types";
import { MOST, useMoved } from "./useMove";

const AT_ONCE = 100;

/** `files`: how many the move took in. */
export function MoveReport({ id, files }: { id: string; files: number }) {
  const { t } = useTranslation("moving");
  const moved = useMoved(id);
  if (moved.isPending) return <Pending lines={6} />;
  if (moved.error !== null) {
    return <ErrorNote error={moved.error} onRetry={() => void moved.refetch()} />;
  }
  return (
    <>
      <Came items={moved.data} />
      <Files items={moved.data} />
      {files > MOST && <p className={classes.facts}>{t("capped", { n: MOST })}</p>}
    </>
  );
}

function Came({ items }: { items: readonly MoveItem[] }) {
  const { t } = useTranslation("moving");
  const came = useMemo(() => cameOf(items), [items]);
  if (came.length === 0) return null;
  return (
    <section aria-labelledby="came">
      <h2 id="came" className={classes.heading}>
        {t("came")}
      </h2>
      <ul className={classes.came}>
        {came.map(({ kind, href, count }) => (
          <li key={kind}>
            <Link className={classes.shelf} href={href}>
              {t(`things.${kind}`)} <span className={classes.facts}>{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Files({ items }: { items: readonly MoveItem[] }) {
  const { t } = useTranslation("moving");
  const [which, setWhich] = useState<Which>("all");
  const [shown, setShown] = useState(AT_ONCE);
  const found = useMemo(() => chosen(items, which), [items, which]);
  const choices = WHICH.map((one) => ({
    value: one,
    label: `${t(`which.${one}`)} (${chosen(items, one).length})`,
  }));
  return (
    <section aria-labelledby="report">
      <div className={classes.choice}>
        <h2 id="report" className={classes.heading}>
          {t("report")}
        </h2>
        <NativeSelect
          aria-label={t("show")}
          data={choices}
          value={which}
          onChange={(event) => {
            const next = WHICH.find((one) => one === event.currentTarget.value);
            setWhich(next ?? "all");
            setShown(AT_ONCE);
          }}
        />
      </div>
      {found.length === 0 && <p className={classes.facts}>{t("none")}</p>}
      <ul className={classes.files}>
        {found.slice(0, shown).map((item) => (
          <ReportItem key={item.n} item={{ ...item, file: item.place }} />
        ))}
      </ul>
      {found.length > shown && (
        <Button variant="subtle" onClick={() => setShown(shown + AT_ONCE)}>
          {t("more")}
        </Button>
      )}
    </section>
  );
}
