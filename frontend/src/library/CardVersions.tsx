/** What a card was before, and the way back: a former version written again is the newest. */
import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { dayOf } from "@/ui/times";
import classes from "./Sheet.module.css";
import type { CardEntry } from "./types";
import { useWriteCard } from "./useWriteCard";

export function CardVersions({ card, onKept }: { card: CardEntry; onKept: (id: string) => void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const at = { params: { path: { card_id: card.id } } };
  const found = useQuery({
    queryKey: [...keys.cards, card.id, "versions"],
    queryFn: () => told(api.GET("/api/cards/{card_id}/versions", at)),
    enabled: open,
  });
  const write = useWriteCard(card, onKept);
  const restore = useMutation({
    mutationFn: async (id: string) => {
      const path = { card_id: id };
      const before = await told(api.GET("/api/cards/{card_id}", { params: { path } }));
      return write.mutateAsync({ content: before.content });
    },
  });
  const versions = found.data?.items ?? [];
  return (
    <details className={classes.fold} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("library.versions")}</summary>
      {found.error !== null && <ErrorNote error={found.error} />}
      {restore.error !== null && <ErrorNote error={restore.error} />}
      <ul className={classes.versions}>
        {versions.map((one, place) => (
          <li key={one.id}>
            <span>
              {t("library.version", { n: versions.length - place })} · {one.name} ·{" "}
              {dayOf(one.created_at)}
            </span>
            {place > 0 && (
              <Button
                aria-label={`${t("library.restore")}: ${t("library.version", { n: versions.length - place })}`}
                loading={restore.isPending && restore.variables === one.id}
                onClick={() => restore.mutate(one.id)}
              >
                {t("library.restore")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
