/** The regex scripts there are: of files, presets and cards, and whether each may run. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { Empty } from "@/ui/Empty";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import classes from "./Library.module.css";
import { ScriptLines } from "./ScriptLines";
import type { ScriptSet } from "./types";

const KEY = [...keys.scripts, "global"];

export function Scripts() {
  const { t } = useTranslation();
  const found = useQuery({ queryKey: KEY, queryFn: () => told(api.GET("/api/scripts")) });
  const sets = found.data?.items ?? [];
  return (
    <>
      {found.isPending && <Pending />}
      {found.error !== null && <ErrorNote error={found.error} />}
      {found.data !== undefined && sets.length === 0 && <Empty text={t("library.empty.scripts")} />}
      <ul className={classes.list} aria-label={t("library.kind.scripts")}>
        {sets.map((one) => (
          <Row key={`${one.scope} ${one.owner}`} one={one} />
        ))}
      </ul>
    </>
  );
}

function Row({ one }: { one: ScriptSet }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const on = one.state !== "off";
  const flip = useMutation({
    mutationFn: () =>
      told(
        api.PUT("/api/scripts/{item_id}/switch", {
          params: { path: { item_id: one.owner } },
          body: { on: !on, revision: one.revision },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <li className={classes.row}>
      <div className={classes.grow}>
        <span className={classes.rowName}>{one.name}</span>
        <span className={classes.facts}>
          {t(`library.of.${one.scope}`)} ·{" "}
          {t("library.scriptsCount", { count: one.scripts.length })} · {t(`library.${one.state}`)}
        </span>
        <details>
          <summary className={classes.facts}>{t("common.show")}</summary>
          <ScriptLines scripts={one.scripts} />
        </details>
        {flip.error !== null && <ErrorNote error={flip.error} />}
      </div>
      {one.scope === "global" && (
        <Button
          role="switch"
          aria-checked={on}
          aria-label={`${t("library.running")}: ${one.name}`}
          loading={flip.isPending}
          onClick={() => flip.mutate()}
        >
          {t(on ? "library.running" : "library.off")}
        </Button>
      )}
    </li>
  );
}
