/** One scenario: a shipped one to be read and copied, one of the reader's own to be written. */
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { IconButton } from "@/ui/IconButton";
import { Pending } from "@/ui/Pending";
import { useArrival } from "@/ui/useArrival";
import { Faults } from "./Faults";
import { Origins } from "./Origins";
import { type How, ScenarioEditor } from "./ScenarioEditor";
import classes from "./Scenarios.module.css";
import type { Shown } from "./types";

interface SideProps {
  name: string;
  onOpen: (name: string | null) => void;
}

export function ScenarioSide({ name, onOpen }: SideProps) {
  const { t } = useTranslation();
  const close = () => onOpen(null);
  const [how, setHow] = useState<How | null>(null);
  useEscape(true, close);
  const side = useArrival<HTMLElement>();
  const found = useQuery({
    queryKey: [...keys.scenarios, name],
    queryFn: () => told(api.GET("/api/scenarios/{name}", { params: { path: { name } } })),
  });
  return (
    <section ref={side} tabIndex={-1} className={classes.side} aria-label={name}>
      <header className={classes.sideHead}>
        <h2 className={classes.name}>{name}</h2>
        <IconButton icon="close" label={t("common.close")} onClick={close} size={44} />
      </header>
      <div className={classes.sideBody}>
        {found.isPending && <Pending />}
        {found.error !== null && <ErrorNote error={found.error} />}
        {found.data?.own && (
          <ScenarioEditor
            key={found.data.hash}
            scenario={found.data}
            how={how ?? (found.data.faults.length === 0 ? "form" : "text")}
            onHow={setHow}
            onGone={close}
          />
        )}
        {found.data !== undefined && (
          <Copy key={`copy ${name}`} scenario={found.data} onCopied={onOpen} />
        )}
        {found.data !== undefined && !found.data.own && (
          <>
            <Faults faults={found.data.faults} />
            <Origins scenario={found.data} />
            <details>
              <summary className={classes.summary}>{t("scenarios.asText")}</summary>
              <pre className={classes.text}>{found.data.text}</pre>
            </details>
          </>
        )}
      </div>
    </section>
  );
}

function Copy({ scenario, onCopied }: { scenario: Shown; onCopied: (name: string) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const copy = useMutation({
    mutationFn: () =>
      told(
        api.POST("/api/scenarios/{name}/copy", {
          params: { path: { name: scenario.name } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: keys.scenarios });
      onCopied(made.name);
    },
  });
  return (
    <form
      className={classes.copy}
      onSubmit={(event) => {
        event.preventDefault();
        copy.mutate();
      }}
    >
      <TextInput
        label={t("scenarios.copyAs")}
        description={scenario.own ? null : t("scenarios.shipped")}
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" loading={copy.isPending} disabled={name.trim() === ""}>
        {t("scenarios.copy")}
      </Button>
      {copy.error !== null && <ErrorNote error={copy.error} />}
    </form>
  );
}
