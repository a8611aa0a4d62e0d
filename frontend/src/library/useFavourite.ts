/** The star of a card: shown at once, taken back where the server refuses. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";

export function useFavourite(card: { id: string; favourite: boolean }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (on: boolean) =>
      told(
        api.PUT("/api/cards/{card_id}/favourite", {
          params: { path: { card_id: card.id } },
          body: { on },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.cards }),
  });
  const on = change.isPending ? change.variables : card.favourite;
  return { on, toggle: () => change.mutate(!on) };
}
