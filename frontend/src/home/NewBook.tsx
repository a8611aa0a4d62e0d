/** A book begun from home: its title, and if wanted a card that binds it, whose greeting may be the first
 * chapter. */
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { languageInForce } from "@/i18n";
import { Pick } from "@/picking/Pick";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import classes from "./Home.module.css";

export function NewBook() {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const rehearse = useMutation({
    mutationFn: () =>
      told(api.POST("/api/rehearsal", { body: { language: languageInForce(), mode: "writing" } })),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: keys.projects });
      go(`/p/${id}`);
    },
  });
  const [open, setOpen] = useState(false);
  useEscape(open, () => setOpen(false));
  return (
    <div className={classes.way}>
      {open ? (
        <Form onCancel={() => setOpen(false)} />
      ) : (
        <>
          <Button size="md" onClick={() => setOpen(true)}>
            {t("home.book")}
          </Button>
          <p className={classes.facts}>{t("home.books")}</p>
          <Button variant="subtle" loading={rehearse.isPending} onClick={() => rehearse.mutate()}>
            {t("home.rehearseBook")}
          </Button>
          {rehearse.error !== null && <ErrorNote error={rehearse.error} />}
        </>
      )}
    </div>
  );
}

interface Wanted {
  title: string;
  card: string;
  greeting: boolean;
}

function Form({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState<Wanted>({ title: "", card: "", greeting: false });
  const change = (next: Partial<Wanted>) => setWanted({ ...wanted, ...next });
  const begin = useBegin(wanted);
  return (
    <form
      className={classes.book}
      aria-label={t("home.book")}
      onSubmit={(event) => {
        event.preventDefault();
        begin.mutate();
      }}
    >
      <TextInput
        autoFocus
        label={t("home.bookTitle")}
        value={wanted.title}
        maxLength={500}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Pick
        kind="cards"
        label={t("home.bookCard")}
        none={t("home.noCard")}
        orNothing
        value={wanted.card}
        onChange={(card) => change({ card })}
      />
      {wanted.card !== "" && (
        <Checkbox
          label={t("home.greetingChapter")}
          checked={wanted.greeting}
          onChange={(event) => change({ greeting: event.currentTarget.checked })}
        />
      )}
      {begin.error !== null && <ErrorNote error={begin.error} />}
      <div className={classes.actions}>
        <Button type="submit" variant="filled" loading={begin.isPending}>
          {t("home.bookBegin")}
        </Button>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}

function useBegin({ title, card, greeting }: Wanted) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      told(
        api.POST("/api/projects", {
          body: {
            title: title.trim() === "" ? t("home.bookUntitled") : title,
            mode: "writing",
            card_id: card === "" ? null : card,
            lorebook_ids: [],
            scenario: "stage",
            language: card === "" ? languageInForce() : null,
            greeting_chapter: card !== "" && greeting,
          },
        }),
      ),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: keys.projects });
      go(`/p/${id}`);
    },
  });
}
