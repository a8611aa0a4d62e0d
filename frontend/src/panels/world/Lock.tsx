/** The lock of a place: no model may change what is locked. What a larger lock holds says so. */
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { useBook } from "./ledger";
import { dotted, lockOf, type Path } from "./places";

export function Lock({ path, label }: { path: Path; label: string }) {
  const { t } = useTranslation();
  const { ledger, fixed, edit } = useBook();
  const own = dotted(path);
  const holder = lockOf(path, ledger.locked);
  const turn = useMutation({
    mutationFn: () =>
      edit(
        {},
        holder === null ? [...ledger.locked, own] : ledger.locked.filter((one) => one !== own),
      ),
  });
  const above = holder !== null && holder !== own;
  const word = above ? "world.lockedAbove" : holder === null ? "world.lock" : "world.unlock";
  return (
    <>
      <IconButton
        icon={holder === null ? "unlock" : "lock"}
        label={t(word, { name: label })}
        pressed={holder !== null}
        disabled={fixed || above}
        onClick={() => turn.mutate()}
      />
      {turn.error !== null && <ErrorNote error={turn.error} />}
    </>
  );
}
