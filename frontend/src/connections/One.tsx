/** One connection: what it is, what a test found, which work it does, and its key, unseen. */
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Connection } from "@/api/types";
import { ErrorNote } from "@/ui/ErrorNote";
import { dayOf } from "@/ui/times";
import { Capabilities } from "./Capabilities";
import classes from "./Connections.module.css";
import { changed, useChange, useForget, useTest } from "./changing";
import { Roles } from "./Roles";

export function One({ one }: { one: Connection }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const test = useTest(one.name);
  return (
    <section className={classes.one} aria-label={one.name}>
      <header className={classes.head}>
        <h2 className={classes.name}>{one.name}</h2>
        <span className={classes.facts}>{t(`connections.sources.${one.source}`)}</span>
      </header>
      <p className={classes.model}>{one.model === "" ? t("connections.noModel") : one.model}</p>
      <Capabilities one={one} testing={test.isPending} />
      {test.error !== null && <ErrorNote error={test.error} />}
      <div className={classes.actions}>
        <Button loading={test.isPending} onClick={() => test.mutate()}>
          {t("connections.test")}
        </Button>
        <Button variant="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "connections.less" : "connections.change")}
        </Button>
      </div>
      {open && one.source !== "environment" && (
        <Change one={one} onTested={() => test.mutate()} key={one.revision} />
      )}
      {open && one.source === "environment" && (
        <p className={classes.facts}>{t("connections.fromOutside")}</p>
      )}
    </section>
  );
}

function Change({ one, onTested }: { one: Connection; onTested: () => void }) {
  const { t } = useTranslation();
  const change = useChange(one.name);
  const forget = useForget(one.name);
  const [model, setModel] = useState(one.model);
  const [key, setKey] = useState("");
  const models = `models-of-${one.name}`;
  const save = () => {
    const body = { ...changed(one, { model }), ...(key === "" ? {} : { api_key: key }) };
    change.mutate(body, { onSuccess: onTested });
  };
  return (
    <div className={classes.form}>
      <TextInput
        label={t("connections.model")}
        value={model}
        list={models}
        onChange={(event) => setModel(event.currentTarget.value)}
      />
      <datalist id={models}>
        {one.models.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <PasswordInput
        visibilityToggleButtonProps={{ "aria-label": t("connections.seeKey") }}
        label={t("connections.newKey")}
        description={t(one.has_key ? "connections.keyKept" : "connections.keyNone")}
        value={key}
        autoComplete="off"
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <Roles one={one} />
      {one.price !== null && (
        <p className={classes.facts}>
          {t("connections.price", {
            prompt: one.price.prompt,
            completion: one.price.completion,
            currency: one.price.currency,
            day: dayOf(one.price.as_of),
          })}
        </p>
      )}
      {change.error !== null && <ErrorNote error={change.error} />}
      {forget.error !== null && <ErrorNote error={forget.error} />}
      <div className={classes.actions}>
        <Button
          loading={change.isPending}
          disabled={model === one.model && key === ""}
          onClick={save}
        >
          {t("connections.saveAndTest")}
        </Button>
        {one.source === "kept" && (
          <Button variant="subtle" onClick={() => forget.mutate(one.revision)}>
            {t("connections.forget")}
          </Button>
        )}
      </div>
    </div>
  );
}
