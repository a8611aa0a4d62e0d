/** One preset: what of it is used and where, what is kept and not used, and what it said of a connection, which
 * is shown and never applied. */
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import { Brought } from "./Brought";
import { ReportLists } from "./importing/ReportLists";
import { Sheet } from "./Sheet";
import classes from "./Sheet.module.css";
import type { PresetEntry } from "./types";

export function PresetSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const found = useQuery({
    queryKey: [...keys.presets, id],
    queryFn: () => told(api.GET("/api/presets/{item_id}", { params: { path: { item_id: id } } })),
  });
  return (
    <Sheet title={found.data?.name ?? t("library.kind.presets")} onClose={onClose}>
      {found.isPending && <Pending />}
      {found.error !== null && <ErrorNote error={found.error} />}
      {found.data !== undefined && <Found preset={found.data} />}
    </Sheet>
  );
}

function Found({ preset }: { preset: PresetEntry }) {
  const { t } = useTranslation();
  return (
    <>
      <Rename key={preset.revision} preset={preset} />
      {!preset.played && <p role="note">{t("library.notPlayed", { form: preset.form })}</p>}
      {preset.prompts.length > 0 && <Prompts prompts={preset.prompts} />}
      <Samplers sampling={preset.sampling} />
      {preset.not_applied.length > 0 && (
        <section aria-label={t("library.notApplied")}>
          <h3 className={classes.sub}>{t("library.notApplied")}</h3>
          <p className={classes.facts}>{t("library.notAppliedAbout")}</p>
          <p className={classes.names}>{preset.not_applied.join(" · ")}</p>
        </section>
      )}
      {preset.connection_fields.length > 0 && (
        <section aria-label={t("library.connectionFields")}>
          <h3 className={classes.sub}>{t("library.connectionFields")}</h3>
          <p className={classes.facts}>{t("library.connectionAbout")}</p>
          <p className={classes.names}>{preset.connection_fields.join(" · ")}</p>
        </section>
      )}
      <Brought owner={preset.id} />
      <ReportLists report={preset.report} />
      <details className={classes.fold}>
        <summary>{t("library.raw")}</summary>
        <pre className={classes.raw}>{JSON.stringify(preset.content, null, 2)}</pre>
      </details>
      <div className={classes.actions}>
        <Button component="a" href={`/api/presets/${preset.id}/export`} download>
          {t("library.export")}
        </Button>
      </div>
    </>
  );
}

function Prompts({ prompts }: { prompts: PresetEntry["prompts"] }) {
  const { t } = useTranslation();
  return (
    <section aria-label={t("library.prompts")}>
      <h3 className={classes.sub}>{t("library.prompts")}</h3>
      <ol className={classes.lines}>
        {prompts.map((one, place) => (
          // A preset may name a prompt twice; its place tells them apart.
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <li key={place} data-off={!one.enabled || undefined}>
            {one.name || one.identifier}
            <span className={classes.facts}>
              {" "}
              ·{" "}
              {[
                ...(one.enabled ? [] : [t("library.off")]),
                one.marker ? t("library.slot") : t("library.chars", { n: one.chars }),
                t(`library.role.${one.role}`),
                ...(one.depth === null ? [] : [t("library.atDepth", { n: one.depth })]),
              ].join(" · ")}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Samplers({ sampling }: { sampling: PresetEntry["sampling"] }) {
  const { t } = useTranslation();
  const set = Object.entries(sampling);
  if (set.length === 0) return null;
  return (
    <section aria-label={t("library.samplers")}>
      <h3 className={classes.sub}>{t("library.samplers")}</h3>
      <dl className={classes.pairs}>
        {set.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Rename({ preset }: { preset: PresetEntry }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [name, setName] = useState(preset.name);
  const write = useMutation({
    mutationFn: () =>
      told(
        api.PUT("/api/presets/{item_id}", {
          params: { path: { item_id: preset.id } },
          body: { revision: preset.revision, name: name.trim() },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.presets }),
  });
  const same = name.trim() === "" || name.trim() === preset.name;
  return (
    <form
      className={classes.rename}
      onSubmit={(event) => {
        event.preventDefault();
        if (!same) write.mutate();
      }}
    >
      <TextInput
        label={t("library.persona_name")}
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {!same && (
        <Button type="submit" loading={write.isPending}>
          {t("library.keep")}
        </Button>
      )}
      {write.error !== null && <ErrorNote error={write.error} />}
    </form>
  );
}
