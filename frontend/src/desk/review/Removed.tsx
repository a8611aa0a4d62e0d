/** A chapter that a turn took out: it can be brought back as it was. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { objectText, saveChapter } from "../chapters/files";
import { titleOf } from "../chapters/naming";
import { useDesk } from "../desk";
import { Refused } from "../Refused";
import type { FileChange } from "./made";

interface RemovedProps {
  name: string;
  files: readonly FileChange[];
}

export function Removed({ name, files }: RemovedProps) {
  const { t } = useTranslation();
  const { project } = useDesk();
  const queries = useQueryClient();
  const before = files.find((one) => one.name === name && one.after === null)?.before ?? null;
  const back = useMutation({
    mutationFn: async (hash: string) =>
      saveChapter(project.id, name, await objectText(project.id, hash), null),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.project(project.id) }),
  });
  return (
    <>
      <span>{t("desk.gone", { name: titleOf(name) })}</span>
      {before !== null && (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={back.isPending}
          onClick={() => back.mutate(before)}
        >
          {t("desk.bringBack")}
        </Button>
      )}
      {back.error !== null && <Refused error={back.error} />}
    </>
  );
}
