/** Putting a thing into the trash, at once and with the way back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import i18next from "i18next";
import { api, told } from "@/api/client";
import { toast } from "@/ui/toasts";

export type Deletable = "card" | "lorebook" | "persona" | "preset" | "scripts" | "quick_replies";

const REMOVE: Readonly<Record<Deletable, (id: string) => Promise<unknown>>> = {
  card: (id) => told(api.DELETE("/api/cards/{card_id}", { params: { path: { card_id: id } } })),
  lorebook: (id) =>
    told(api.DELETE("/api/lorebooks/{book_id}", { params: { path: { book_id: id } } })),
  persona: (id) => told(api.DELETE("/api/personas/{item_id}", at(id))),
  preset: (id) => told(api.DELETE("/api/presets/{item_id}", at(id))),
  scripts: (id) => told(api.DELETE("/api/scripts/{item_id}", at(id))),
  quick_replies: (id) => told(api.DELETE("/api/quick-replies/{item_id}", at(id))),
};

function at(id: string) {
  return { params: { path: { item_id: id } } };
}

export function restore(kind: Deletable | "project" | "save", id: string): Promise<unknown> {
  const path = { kind, thing_id: id };
  return told(api.POST("/api/trash/{kind}/{thing_id}/restore", { params: { path } }));
}

export function useDelete(
  kind: Deletable,
  thing: { id: string; name: string },
  onGone?: () => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => REMOVE[kind](thing.id),
    onSuccess: () => {
      void queries.invalidateQueries();
      onGone?.();
      toast({
        text: i18next.t("library.deleted", { name: thing.name }),
        action: {
          label: i18next.t("common.undo"),
          run: () => void restore(kind, thing.id).then(() => queries.invalidateQueries()),
        },
      });
    },
  });
}
