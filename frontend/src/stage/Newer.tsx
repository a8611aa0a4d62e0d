/** Newer versions of the card and the lorebooks of a story: offered, and taken only when the reader says so. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { components } from "@/api/schema.gen";
import { keep, kept } from "@/ui/draft";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { useVerb } from "./verbs";

type Found = components["schemas"]["NewerVersionTold"];

export function Newer() {
  const { t } = useTranslation();
  const { project } = useStage();
  const found = useQuery({
    queryKey: [...keys.project(project.id), "newer"],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/newer", {
          params: { path: { project_id: project.id } },
        }),
      ),
  });
  const place = `huaben.newer.${project.id}`;
  const [declined, decline] = useState(() => kept(place));
  const items = found.data?.items ?? [];
  const offer = items.map((one) => one.id).join(" ");
  const take = useVerb(() =>
    told(
      api.PATCH("/api/projects/{project_id}", {
        params: { path: { project_id: project.id } },
        body: { revision: project.revision, ...taken(project.lorebook_ids, items) },
      }),
    ),
  );
  if (items.length === 0 || offer === declined) return null;
  return (
    <section className={classes.newer} aria-label={t("stage.newer")}>
      <p className={classes.facts}>
        {t("stage.newerOf", { names: items.map((one) => one.name).join("、") })}
      </p>
      <Button loading={take.isPending} onClick={() => take.mutate()}>
        {t("stage.newerTake")}
      </Button>
      <Button
        variant="subtle"
        onClick={() => {
          keep(place, offer);
          decline(offer);
        }}
      >
        {t("stage.newerKeep")}
      </Button>
      {take.error !== null && <ErrorNote error={take.error} />}
    </section>
  );
}

function taken(books: readonly string[], items: readonly Found[]) {
  const latest = new Map(items.map((one) => [one.pinned, one.id]));
  const card = items.find((one) => one.kind === "card");
  const withBooks = items.some((one) => one.kind === "lorebook");
  return {
    ...(card === undefined ? {} : { card_id: card.id }),
    ...(withBooks ? { lorebook_ids: books.map((id) => latest.get(id) ?? id) } : {}),
  };
}
