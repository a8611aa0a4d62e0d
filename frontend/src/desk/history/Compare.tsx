/** Two states of the book beside each other: the chapters that differ, each by words when it is opened. */
import { Button, Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { useParam } from "@/app/param";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { openComparison } from "./address";
import { useCheckpoints } from "./checkpoints";
import { useComparison } from "./comparing";
import classes from "./History.module.css";
import { Chapters, Counts } from "./Restoring";
import { labelOf, touched } from "./record";

const NOW = "now";

export default function Compare({ project }: { project: Project }) {
  const { t } = useTranslation();
  const found = useCheckpoints(project.id);
  const [wantedFrom] = useParam("from");
  const [wantedTo] = useParam("to");
  const { items } = found;
  const newest = items[0]?.id ?? null;
  const from = wantedFrom ?? items[1]?.id ?? null;
  const to = wantedTo ?? newest;
  const compared = useComparison(project.id, from, to);
  if (found.isPending) return <Pending />;
  if (found.error !== null) {
    return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  }
  if (items.length < 2) return <Empty text={t("manuscript.nothingToCompare")} />;
  const states = items.map((one) => ({ value: one.id, label: labelOf(one) }));
  const changes = touched(
    compared.data?.changed ?? { added: [], modified: [], renamed: [], removed: [] },
  );
  return (
    <div className={classes.panel}>
      <Select
        label={t("manuscript.compareFrom")}
        data={states}
        value={from}
        allowDeselect={false}
        searchable
        onChange={(value) => value !== null && openComparison(value, wantedTo)}
      />
      <Select
        label={t("manuscript.compareTo")}
        data={[{ value: NOW, label: t("manuscript.now") }, ...states]}
        value={wantedTo ?? NOW}
        allowDeselect={false}
        searchable
        onChange={(value) => openComparison(from ?? "", value === NOW ? null : value)}
      />
      {found.hasNextPage && (
        <Button variant="subtle" onClick={() => void found.fetchNextPage()}>
          {t("manuscript.earlier")}
        </Button>
      )}
      {compared.error !== null && <ErrorNote error={compared.error} />}
      {compared.data === undefined && compared.error === null && <Pending />}
      {compared.data !== undefined && (
        <p role="status">
          {changes.length === 0 ? t("common.noDifference") : <Counts changes={changes} />}
        </p>
      )}
      {from !== null && to !== null && (
        <Chapters project={project.id} changes={changes} from={from} to={to} />
      )}
    </div>
  );
}
