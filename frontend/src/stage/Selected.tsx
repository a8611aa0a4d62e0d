/** What can be done with a selected piece of a reply. Only the latest reply can be changed by the model;
 * for an older one the bar says so. */
import { Button, Textarea } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { useParam } from "@/app/param";
import { composing } from "@/ui/composing";
import { keep, kept } from "@/ui/draft";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { toast } from "@/ui/toasts";
import { changeWords } from "./changing";
import { beginEdit, useEditing } from "./edits";
import classes from "./Selected.module.css";
import { useStage } from "./stage";
import { type Marked, useSelected, wasByKeys } from "./useSelected";
import { endOf, useSay, useVerb } from "./verbs";

export function Selected() {
  const { t } = useTranslation();
  const { rows, latest, busy } = useStage();
  const [asking, setAsking] = useState<Marked | null>(null);
  const found = useSelected();
  const editing = useEditing();
  const remember = useRemember();
  const marked = asking ?? found;
  const item = rows.find((row) => row.id === marked?.turn);
  const bar = useRef<HTMLDivElement>(null);
  const forget = () => document.getSelection()?.removeAllRanges();
  useEscape(found !== null && asking === null, forget);
  useEffect(() => {
    if (found !== null && wasByKeys()) {
      bar.current?.querySelector<HTMLElement>("button:enabled")?.focus({ preventScroll: true });
    }
  }, [found]);
  if (marked === null || item === undefined || editing) return null;
  if (asking !== null) return <Ask marked={asking} onDone={() => setAsking(null)} />;
  return (
    <div
      ref={bar}
      className={classes.bar}
      style={{ top: Math.max(8, marked.top - 52), left: marked.left }}
      role="toolbar"
      aria-label={t("stage.selection")}
    >
      {item.id === latest?.id ? (
        <Button size="sm" variant="subtle" disabled={busy} onClick={() => setAsking(marked)}>
          {t("stage.change")}
        </Button>
      ) : (
        <span className={classes.why}>{t("stage.onlyLatest")}</span>
      )}
      <Button
        size="sm"
        variant="subtle"
        disabled={busy}
        onClick={() => {
          beginEdit(item, marked.piece);
          forget();
        }}
      >
        {t("stage.edit")}
      </Button>
      <Button
        size="sm"
        variant="subtle"
        loading={remember.isPending}
        onClick={() =>
          remember.mutate({ text: marked.text, at: item.id }, { onSuccess: () => forget() })
        }
      >
        {t("stage.remember")}
      </Button>
      <Button
        size="sm"
        variant="subtle"
        onClick={() => {
          void navigator.clipboard?.writeText(marked.text);
          forget();
        }}
      >
        {t("common.copy")}
      </Button>
      {remember.error !== null && <ErrorNote error={remember.error} />}
    </div>
  );
}

/** Put the piece among what the story remembers, from its turn on. */
function useRemember() {
  const { t } = useTranslation();
  const { project } = useStage();
  const [, setPanel] = useParam("panel");
  return useVerb(async (body: { text: string; at: string }) => {
    const params = { path: { project_id: project.id } };
    await told(
      api.POST("/api/projects/{project_id}/memory", { params, body: { ...body, title: "" } }),
    );
    toast({
      text: t("stage.remembered"),
      action: { label: t("common.show"), run: () => setPanel("memory") },
    });
  });
}

function Ask({ marked, onDone }: { marked: Marked; onDone: () => void }) {
  const { t } = useTranslation();
  const { project } = useStage();
  const place = `huaben.wish.${project.id}`;
  const [wish, setWish] = useState(() => kept(place));
  const say = useSay();
  useEscape(true, onDone);
  useEffect(() => keep(place, wish), [place, wish]);
  const send = () => {
    if (wish.trim() === "") return;
    const text = changeWords(project.language, marked.text, wish.trim());
    say.mutate(
      { text, parent: endOf(project) },
      {
        onSuccess: () => {
          keep(place, "");
          onDone();
        },
      },
    );
  };
  return (
    <section className={classes.ask} aria-label={t("stage.change")}>
      <blockquote className={classes.quote}>{marked.text}</blockquote>
      <Textarea
        autosize
        autoFocus
        maxRows={5}
        label={t("stage.changeHow")}
        value={wish}
        onChange={(event) => setWish(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (composing(event) || event.key !== "Enter" || event.shiftKey) return;
          event.preventDefault();
          send();
        }}
      />
      <div className={classes.buttons}>
        <Button
          variant="filled"
          loading={say.isPending}
          disabled={wish.trim() === ""}
          onClick={send}
        >
          {t("stage.changeSend")}
        </Button>
        <Button onClick={onDone}>{t("common.cancel")}</Button>
      </div>
      {say.error !== null && <ErrorNote error={say.error} />}
    </section>
  );
}
