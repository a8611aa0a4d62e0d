/** What is in the folder, by kind; what comes in is ticked, what stays behind says why. */
import { Button, Checkbox } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { api, told } from "@/api/client";
import { Pending } from "@/ui/Pending";
import { bytes } from "./bytes";
import { Left } from "./Left";
import classes from "./Moving.module.css";
import { MoveRefused } from "./Refused";
import type { MoveKind, Survey } from "./types";
import { moves } from "./useMove";

export function Found({ folder }: { folder: string }) {
  const { t } = useTranslation("moving");
  const survey = useQuery({
    queryKey: [...moves, "look", folder],
    queryFn: () => told(api.POST("/api/moves/look", { body: { path: folder } })),
    retry: false,
    gcTime: 0, // a folder may have changed when it is looked at again
  });
  if (survey.isPending) return <Pending lines={4} />;
  if (survey.error !== null) {
    return <MoveRefused error={survey.error} onRetry={() => void survey.refetch()} />;
  }
  if (survey.data.parts.length === 0) {
    return (
      <>
        <p role="status">{t("nothing")}</p>
        <Left survey={survey.data} />
      </>
    );
  }
  return <Choice folder={folder} survey={survey.data} />;
}

function Choice({ folder, survey }: { folder: string; survey: Survey }) {
  const { t } = useTranslation("moving");
  const [without, setWithout] = useState<readonly MoveKind[]>([]);
  const kinds = survey.parts.map(({ kind }) => kind).filter((kind) => !without.includes(kind));
  const begin = useBegin(folder);
  const tick = (kind: MoveKind, on: boolean) =>
    setWithout(on ? without.filter((one) => one !== kind) : [...without, kind]);
  return (
    <section className={classes.found} aria-labelledby="found">
      <h2 id="found" className={classes.heading}>
        {t("found", { root: survey.root })}
      </h2>
      <fieldset className={classes.kinds} disabled={begin.isPending}>
        <legend>{t("choose")}</legend>
        {survey.parts.map(({ kind, files, size }) => (
          <Checkbox
            key={kind}
            className={classes.kind}
            label={t(`kind.${kind}`)}
            description={`${t("files", { count: files })} · ${bytes(size)}`}
            checked={!without.includes(kind)}
            onChange={(event) => tick(kind, event.currentTarget.checked)}
          />
        ))}
      </fieldset>
      <Left survey={survey} />
      <div className={classes.begin}>
        <Button
          variant="filled"
          loading={begin.isPending}
          disabled={kinds.length === 0}
          onClick={() => begin.mutate(kinds)}
        >
          {t("begin")}
        </Button>
        <p role="status" className={classes.facts}>
          {begin.isPending && t("storing")}
        </p>
      </div>
      {begin.error !== null && <MoveRefused error={begin.error} />}
    </section>
  );
}

/** Begins the move and goes to it. Until the server has every file, leaving the page would end it. */
function useBegin(folder: string) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const begin = useMutation({
    mutationFn: (kinds: MoveKind[]) =>
      told(api.POST("/api/moves", { body: { path: folder, kinds } })),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: moves, exact: true });
      go(`/library/move/${id}`);
    },
  });
  const { isPending } = begin;
  useEffect(() => {
    if (!isPending) return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", hold);
    return () => window.removeEventListener("beforeunload", hold);
  }, [isPending]);
  return begin;
}
