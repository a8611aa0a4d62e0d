/** What holds in the story: every field edited where it stands, with its evidence, lock and history. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import type { PanelProps } from "../registry";
import { Behind } from "./Behind";
import { Building } from "./Building";
import { Characters } from "./Characters";
import { useCare } from "./care";
import { Flags } from "./Flags";
import { History } from "./History";
import { BookContext, useAtHead, useEdit, useLedger } from "./ledger";
import { Marks } from "./Marks";
import { Place } from "./Place";
import { Recompute } from "./Recompute";

export default function WorldPanel({ project, turn }: PanelProps) {
  const { t } = useTranslation();
  const found = useLedger(project, turn);
  const head = useAtHead(project, turn);
  const writing = useEdit(project, found.data?.revision ?? 0);
  const care = useCare(project).data;
  const [only, setOnly] = useState(false);
  const doubted = useMemo(() => new Set(care?.facts.map((one) => one.path)), [care]);
  if (found.data === undefined) {
    if (found.error === null) return <Pending />;
    return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  }
  const ledger = found.data;
  const edit = (patch: object, locked?: string[]) =>
    writing.mutateAsync({ patch: { ...patch }, locked });
  const { time, location, inventory, plot_threads } = ledger.ledger;
  return (
    <BookContext value={{ project, ledger, fixed: !head, edit, doubted, only: only && head }}>
      {!head && <Empty text={t("world.earlier")} />}
      {head && <Behind count={ledger.behind} />}
      {head && <Recompute project={project} head={ledger.at} changed={ledger.changed} />}
      {head && care !== undefined && (
        <Marks project={project} care={care} only={only} onOnly={setOnly} />
      )}
      {head && <Building project={project} behind={ledger.behind} />}
      <Place path={["time"]} label={t("world.time")} value={time} />
      <Place path={["location"]} label={t("world.location")} value={location} />
      <Characters />
      <Lines name="inventory" lines={inventory} />
      <Flags />
      <Lines name="plot_threads" lines={plot_threads} />
      <History project={project} turn={turn} revision={ledger.revision} fixed={!head} />
    </BookContext>
  );
}

function Lines({ name, lines }: { name: "inventory" | "plot_threads"; lines: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <Place
      path={[name]}
      label={t(`world.${name}`)}
      value={lines.join("\n")}
      hint={t("world.perLine")}
      read={(text) =>
        text
          .split("\n")
          .map((line) => line.trim())
          .filter((line) => line !== "")
      }
    />
  );
}
