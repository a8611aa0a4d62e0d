/** What has become of a picture, and another try; apart from showing it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { turnOf } from "./marker";

const LOOK_AGAIN_MS = 4000;

const keyOf = (id: string) => [...keys.turn(turnOf(id)), "image", id] as const;

/** Asked for again when the story's stream tells of its turn, and now and then while it is drawn. */
export function useImage(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: () => told(api.GET("/api/images/{image_id}", { params: { path: { image_id: id } } })),
    refetchInterval: ({ state }) =>
      state.data?.state === "pending" || state.data?.state === "wished" ? LOOK_AGAIN_MS : false,
  });
}

export function useRetry(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      told(api.POST("/api/images/{image_id}/retry", { params: { path: { image_id: id } } })),
    onSuccess: (image) => queries.setQueryData(keyOf(id), image),
  });
}
