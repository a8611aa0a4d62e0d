/** Every version of a reply, each against the one before it, by words. */
import { Select, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/types";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { WordDiff } from "@/ui/WordDiff";
import { useDiff } from "./useDiff";
import { useTurn } from "./useElapsed";

export default function Revisions({ turn }: { turn: string }) {
  const known = useTurn(turn);
  if (known.error !== null) return <ErrorNote error={known.error} />;
  if (known.data === undefined) return <Pending />;
  return <Compared turn={known.data} />;
}

function Compared({ turn }: { turn: Turn }) {
  const { t } = useTranslation();
  const count = Math.max(turn.version, turn.draft.version);
  const [to, setTo] = useState(count);
  const [from, setFrom] = useState(Math.max(0, count - 1));
  const diff = useDiff(referenceOf(turn, from), referenceOf(turn, to));
  const options = Array.from({ length: count + 1 }, (_, version) => ({
    value: String(version),
    label: labelOf(turn, version),
  }));
  function labelOf(of: Turn, version: number): string {
    if (version === 0) return t("stage.emptyVersion");
    const reason = of.draft.versions.find((one) => one.version === version)?.reason ?? "user";
    const known = REASONS.find((name) => name === reason.split(":")[0]) ?? "other";
    const word = t(`stage.reason.${known}`);
    return t("stage.version", { n: version, reason: word });
  }
  return (
    <Stack>
      <Select
        label={t("stage.compareFrom")}
        data={options}
        value={String(from)}
        allowDeselect={false}
        onChange={(value) => setFrom(Number(value))}
      />
      <Select
        label={t("stage.compareTo")}
        data={options}
        value={String(to)}
        allowDeselect={false}
        onChange={(value) => setTo(Number(value))}
      />
      {diff.error !== null && <ErrorNote error={diff.error} />}
      {diff.data !== undefined && <WordDiff diff={diff.data} />}
    </Stack>
  );
}

/** Versions of the draft stand in its log; later ones are texts that were in force. */
function referenceOf(turn: Turn, version: number): string {
  const drafted = version === 0 || turn.draft.versions.some((one) => one.version === version);
  return drafted ? `draft:${turn.id}:${version}` : `final:${turn.id}:${version}`;
}

const REASONS = [
  "write",
  "append",
  "edit",
  "capture",
  "partial",
  "finalize",
  "user",
  "restore",
] as const;
