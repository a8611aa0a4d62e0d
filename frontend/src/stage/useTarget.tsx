/** The turn that the address names: read back to until it is there, or said to lie elsewhere. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { useMoves } from "./verbs";

const AT_ONCE = 200;

export interface Target {
  wanted: boolean;
  /** Its row; -1 while it is not among those that were read. */
  index: number;
  error: unknown;
  /** What is said where it lies on another branch. */
  elsewhere: ReactNode;
}

export function useTarget(
  turn: string | null,
  older: boolean,
  readOlder: (limit?: number) => Promise<void>,
): Target {
  const { t } = useTranslation();
  const { rows, project } = useStage();
  const { back } = useMoves();
  const [, go] = useLocation();
  const [error, setError] = useState<unknown>(null);
  const index = turn === null ? -1 : rows.findIndex((row) => row.id === turn);
  const missing = turn !== null && index < 0;
  useEffect(() => {
    if (missing && older && rows.length > 0) readOlder(AT_ONCE).catch(setError);
  }, [missing, older, rows.length, readOlder]);
  const lost = missing && !older && rows.length > 0;
  const found = useQuery({
    queryKey: keys.turn(turn ?? ""),
    queryFn: () =>
      told(api.GET("/api/turns/{turn_id}", { params: { path: { turn_id: turn ?? "" } } })),
    enabled: lost,
  });
  const elsewhere = lost && found.data !== undefined && (
    <div className={classes.elsewhere} role="status">
      <p>{t("stage.elsewhere", { n: found.data.number })}</p>
      <Button onClick={() => turn !== null && back.mutate(turn)}>{t("stage.returnHere")}</Button>
      <Button variant="subtle" onClick={() => go(`/p/${project.id}`)}>
        {t("stage.toPresent")}
      </Button>
    </div>
  );
  return { wanted: turn !== null, index, error: error ?? found.error, elsewhere };
}
