/** The pictures of a story's card; asked for once. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { type Assets, assetsOf, NO_ASSETS } from "./assets";

export function useAssets(card: string | null | undefined): Assets {
  const found = useQuery({
    queryKey: [...keys.cards, card ?? "", "assets"],
    queryFn: () =>
      told(api.GET("/api/cards/{card_id}/assets", { params: { path: { card_id: card ?? "" } } })),
    enabled: card != null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(
    () => (found.data === undefined ? NO_ASSETS : assetsOf(found.data.items)),
    [found.data],
  );
}
