/** Writing a card: the new version has an id of its own, under which it is shown from then on. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { components } from "@/api/schema.gen";
import type { CardEntry } from "./types";

export type WrittenCard = Omit<components["schemas"]["CardWritten"], "revision">;

export function useWriteCard(card: CardEntry, onKept: (id: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (written: WrittenCard) =>
      told(
        api.PUT("/api/cards/{card_id}", {
          params: { path: { card_id: card.id } },
          body: { ...written, revision: card.revision },
        }),
      ),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: keys.cards });
      onKept(id);
    },
  });
}
