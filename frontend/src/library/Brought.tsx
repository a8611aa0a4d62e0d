/** The regex scripts that a card or preset brought along: seen first, then consented to. They run nowhere
 * before. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { ScriptLines } from "./ScriptLines";
import classes from "./Sheet.module.css";

export function Brought({ owner }: { owner: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const key = [...keys.scripts, "of", owner];
  const at = { params: { path: { owner } } };
  const found = useQuery({
    queryKey: key,
    queryFn: () => told(api.GET("/api/scripts/consent/{owner}", at)),
  });
  const say = useMutation({
    mutationFn: (digest: string | null) =>
      told(api.PUT("/api/scripts/consent/{owner}", { ...at, body: { digest } })),
    onSuccess: (now) => queries.setQueryData(key, now),
    onError: () => queries.invalidateQueries({ queryKey: key }),
  });
  const set = found.data;
  if (set === undefined || set.scripts.length === 0) return null;
  const runs = set.state === "running";
  return (
    <section className={classes.form} aria-label={t("library.brought")}>
      <h3>{t("library.brought")}</h3>
      <p className={classes.facts}>{t(runs ? "library.broughtRuns" : "library.broughtWaits")}</p>
      <ScriptLines scripts={set.scripts} />
      <div className={classes.actions}>
        <Button loading={say.isPending} onClick={() => say.mutate(runs ? null : set.digest)}>
          {t(runs ? "library.takeBack" : "library.consent")}
        </Button>
      </div>
      {say.error !== null && <ErrorNote error={say.error} />}
    </section>
  );
}
