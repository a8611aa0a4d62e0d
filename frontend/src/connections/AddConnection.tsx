/** A new connection: choose the provider, paste the key; it is kept and tested in one go. The address is
 * asked for only where none is known. */
import { Button, NativeSelect, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Connections.module.css";
import { refresh } from "./changing";

const OTHER = "";

export function AddConnection({ taken }: { taken: readonly string[] }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [provider, setProvider] = useState("openai");
  const [address, setAddress] = useState("");
  const [model, setModel] = useState("");
  const [key, setKey] = useState("");
  const providers = useQuery({
    queryKey: [...keys.connections, "providers"],
    queryFn: () => told(api.GET("/api/connections/providers")),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const add = useMutation({
    mutationFn: async () => {
      const name = free(provider || hostOf(address), taken);
      const base_url = provider === OTHER ? address : addressOf(provider);
      const body = { name, base_url, model, api_key: key, roles: [] };
      await told(api.POST("/api/connections", { body }));
      setKey("");
      return told(api.POST("/api/connections/{name}/test", { params: { path: { name } } }));
    },
    onSettled: () => refresh(queries),
  });
  const items = providers.data?.items ?? [];
  const addressOf = (name: string) => items.find((one) => one.name === name)?.base_url ?? "";
  return (
    <form
      className={classes.one}
      aria-label={t("connections.add")}
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <h2 className={classes.name}>{t("connections.add")}</h2>
      <div className={classes.form}>
        <NativeSelect
          label={t("connections.provider")}
          value={provider}
          data={[
            ...items.map((one) => ({ value: one.name, label: one.title })),
            { value: OTHER, label: t("connections.other") },
          ]}
          onChange={(event) => setProvider(event.currentTarget.value)}
        />
        {provider === OTHER && (
          <TextInput
            label={t("connections.address")}
            placeholder="http://127.0.0.1:8000/v1"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          visibilityToggleButtonProps={{ "aria-label": t("connections.seeKey") }}
          label={t("connections.key")}
          description={t("connections.keyOnce")}
          value={key}
          autoComplete="off"
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <TextInput
          label={t("connections.model")}
          description={t("connections.modelUsual")}
          value={model}
          onChange={(event) => setModel(event.currentTarget.value)}
        />
      </div>
      {add.error !== null && <ErrorNote error={add.error} />}
      {add.isSuccess && <p role="status">{t("connections.added", { name: add.data.name })}</p>}
      <div className={classes.actions}>
        <Button
          type="submit"
          variant="filled"
          loading={add.isPending}
          disabled={provider === OTHER ? address === "" : key === ""}
        >
          {t("connections.keepAndTest")}
        </Button>
      </div>
    </form>
  );
}

/** A name that no connection has yet. */
function free(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  let n = 2;
  while (taken.includes(`${wanted} ${n}`)) n += 1;
  return `${wanted} ${n}`;
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address.slice(0, 60);
  }
}
