/** Who and what ever appeared in the story, each with the story time of its first appearance. */
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import classes from "../Panels.module.css";
import type { PanelProps } from "../registry";
import { useLedger } from "../world/ledger";
import look from "./Roster.module.css";

const SECTIONS = ["people", "items", "places", "threads"] as const;

export default function RosterPanel({ project, turn }: PanelProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState("");
  const found = useLedger(project, turn);
  if (found.data === undefined) {
    if (found.error === null) return <Pending />;
    return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  }
  const { roster } = found.data;
  const total = SECTIONS.reduce((sum, name) => sum + Object.keys(roster[name]).length, 0);
  if (total === 0) return <Empty text={t("roster.empty")} />;
  const like = wanted.trim().toLowerCase();
  const rows = (name: (typeof SECTIONS)[number]) =>
    Object.entries(roster[name]).filter(([one]) => one.toLowerCase().includes(like));
  return (
    <>
      <TextInput
        type="search"
        label={t("roster.find")}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      {SECTIONS.filter((name) => rows(name).length > 0).map((name) => (
        <section key={name} className={classes.section}>
          <h3>
            {t(`roster.${name}`)} {rows(name).length}
          </h3>
          <dl className={look.rows}>
            {rows(name).map(([one, first]) => (
              <div key={one} className={look.row}>
                <dt>{one}</dt>
                <dd>{first === "" ? t("roster.unknown") : first}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {SECTIONS.every((name) => rows(name).length === 0) && (
        <p className={classes.facts} role="status">
          {t("roster.noneLike", { wanted })}
        </p>
      )}
    </>
  );
}
