/** What a refused chat lacks is made here: a card of its character's name alone. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";

export const WITHOUT_CARD = "no_card_for_chat";

/** `n`: the file of the import. Once taken, the import tells of it as brought in. */
export function BareCard({ id, n }: { id: string; n: number }) {
  const { t } = useTranslation("report");
  const queries = useQueryClient();
  const take = useMutation({
    mutationFn: () =>
      told(
        api.POST("/api/imports/{import_id}/items/{n}/bare", {
          params: { path: { import_id: id, n } },
        }),
      ),
    onSuccess: async () => {
      for (const queryKey of [keys.cards, keys.projects]) {
        void queries.invalidateQueries({ queryKey });
      }
      await queries.invalidateQueries({ queryKey: ["imports", id] });
    },
  });
  return (
    <div>
      <Button loading={take.isPending} onClick={() => take.mutate()}>
        {t("bare")}
      </Button>
      {take.error !== null && <ErrorNote error={take.error} />}
    </div>
  );
}
