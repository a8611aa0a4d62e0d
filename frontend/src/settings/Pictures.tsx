/** The hosts that pictures in stories may come from. The policy of the page names them, so that a change
 * holds from the next load on; that is said where it is made. */
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import classes from "./Pictures.module.css";

export function Pictures() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [host, setHost] = useState("");
  const settings = useQuery({
    queryKey: keys.pageSettings,
    queryFn: () => told(api.GET("/api/settings/page")),
  });
  const change = useMutation({
    mutationFn: (picture_hosts: string[]) => {
      const revision = settings.data?.revision ?? 0;
      return told(api.PUT("/api/settings/page", { body: { picture_hosts, revision } }));
    },
    onSuccess: (now) => {
      queries.setQueryData(keys.pageSettings, now);
      setHost("");
    },
    onError: () => void settings.refetch(),
  });
  const hosts = settings.data?.picture_hosts ?? [];
  const refusal = change.error === null ? null : asRefusal(change.error);
  return (
    <section className={classes.pictures} aria-labelledby="pictures">
      <h2 id="pictures" className={classes.heading}>
        {t("settings.pictures")}
      </h2>
      <p className={classes.facts}>{t("settings.picturesAbout")}</p>
      <ul className={classes.hosts}>
        {hosts.map((one) => (
          <li key={one} className={classes.host}>
            <span>{one}</span>
            <IconButton
              icon="close"
              label={t("settings.forbid", { host: one })}
              onClick={() => change.mutate(hosts.filter((other) => other !== one))}
            />
          </li>
        ))}
      </ul>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (host.trim() !== "") change.mutate([...hosts, host.trim()]);
        }}
      >
        <TextInput
          label={t("settings.host")}
          placeholder="pictures.example.org"
          value={host}
          onChange={(event) => setHost(event.currentTarget.value)}
        />
        <Button type="submit" loading={change.isPending} disabled={settings.data === undefined}>
          {t("settings.allow")}
        </Button>
      </form>
      {change.isSuccess && (
        <p className={classes.facts} role="status">
          {t("settings.nextLoad")}{" "}
          <Button size="compact-sm" variant="subtle" onClick={() => location.reload()}>
            {t("settings.reload")}
          </Button>
        </p>
      )}
      {refusal !== null && (
        <ErrorNote
          error={refusal}
          {...(refusal.code === "bad_host" ? { text: t("settings.badHost") } : {})}
        />
      )}
    </section>
  );
}
