/** Takes a character out of the ledger: a version like any other, which the history takes back. */
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { useBook } from "./ledger";
import { type Path, patchAt } from "./places";

export function Removing({ path, label }: { path: Path; label: string }) {
  const { t } = useTranslation();
  const { fixed, edit } = useBook();
  const removing = useMutation({ mutationFn: () => edit(patchAt(path, null)) });
  if (fixed) return null;
  return (
    <>
      <IconButton
        icon="trash"
        label={t("world.remove", { name: label })}
        onClick={() => removing.mutate()}
      />
      {removing.error !== null && <ErrorNote error={removing.error} />}
    </>
  );
}
