/** The card that asks for a backup after a week and fifty turns; it can be put away until the next day. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Home.module.css";

const PLACE = "huaben.backup.later";
const DAY_MS = 24 * 60 * 60 * 1000;

export function BackupCard() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [later, setLater] = useState(() => Date.now() - putAway() < DAY_MS);
  const state = useQuery({ queryKey: keys.backup, queryFn: () => told(api.GET("/api/backup")) });
  const make = useMutation({
    mutationFn: () => told(api.POST("/api/backup")),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.backup }),
  });
  if (make.isSuccess) {
    return (
      <section className={classes.card} role="status">
        <p>{t("home.backedUp")}</p>
        <Button component="a" href={`/api/backup/${make.data.file}`} download>
          {t("home.download")}
        </Button>
      </section>
    );
  }
  if (state.data?.due !== true || later) return null;
  const { days, turns } = state.data;
  return (
    <section className={classes.card} aria-label={t("home.backup")}>
      <p>
        {days === null ? t("home.neverBackedUp", { turns }) : t("home.lastBackup", { days, turns })}
      </p>
      <div className={classes.actions}>
        <Button loading={make.isPending} onClick={() => make.mutate()}>
          {t("home.backup")}
        </Button>
        <Button
          variant="subtle"
          onClick={() => {
            localStorage.setItem(PLACE, String(Date.now()));
            setLater(true);
          }}
        >
          {t("home.later")}
        </Button>
      </div>
      {make.error !== null && <ErrorNote error={make.error} />}
    </section>
  );
}

function putAway(): number {
  return Number(localStorage.getItem(PLACE) ?? "0");
}
