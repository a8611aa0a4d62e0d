/** A story begun with a card: its opening, who you are in it, the scenario, what lorebooks go along. */
import { Button, Checkbox, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { Look } from "@/picking/Look";
import { Pick } from "@/picking/Pick";
import { useNames } from "@/picking/useNames";
import { tellsStories } from "@/scenarios/types";
import { ErrorNote } from "@/ui/ErrorNote";
import { Face } from "@/ui/Face";
import classes from "./Sheet.module.css";
import type { CardEntry } from "./types";

interface BeginStoryProps {
  card: CardEntry;
  fields: NonNullable<CardEntry["fields"]>;
}

interface Wanted {
  title: string;
  greeting: number;
  persona: string;
  scenario: string;
  books: string[];
}

export function BeginStory({ card, fields }: BeginStoryProps) {
  const { t } = useTranslation();
  const start = { title: "", greeting: 0, persona: "", scenario: "stage", books: [] };
  const [wanted, setWanted] = useState<Wanted>(start);
  const change = (next: Partial<Wanted>) => setWanted({ ...wanted, ...next });
  const begin = useBegin(card.id, wanted);
  return (
    <form
      className={classes.form}
      aria-label={t("library.beginWith")}
      onSubmit={(event) => {
        event.preventDefault();
        begin.mutate();
      }}
    >
      {fields.greetings.length > 1 && (
        <Openings
          greetings={fields.greetings.map((one) => named(one, card.name, t("library.you")))}
          chosen={wanted.greeting}
          choose={(greeting) => change({ greeting })}
        />
      )}
      <Who wanted={wanted} change={change} />
      <Books wanted={wanted} change={change} />
      <TextInput
        label={t("library.storyTitle")}
        placeholder={card.name}
        value={wanted.title}
        maxLength={500}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      {begin.error !== null && <ErrorNote error={begin.error} />}
      <Button type="submit" variant="filled" size="md" loading={begin.isPending}>
        {t("library.begin")}
      </Button>
    </form>
  );
}

function useBegin(card: string, wanted: Wanted) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const founded = await told(
        api.POST("/api/projects", {
          body: {
            title: wanted.title,
            mode: "roleplay",
            card_id: card,
            lorebook_ids: wanted.books,
            persona_id: wanted.persona === "" ? null : wanted.persona,
            scenario: wanted.scenario,
            greeting_chapter: false,
          },
        }),
      );
      if (wanted.greeting > 0) {
        const path = { project_id: founded.id };
        const body = { index: wanted.greeting };
        await told(api.POST("/api/projects/{project_id}/greeting", { params: { path }, body }));
      }
      return founded;
    },
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: keys.projects });
      go(`/p/${id}`);
    },
  });
}

/** As it will be told: with names where the card has places for them. */
function named(text: string, character: string, you: string): string {
  return text.replace(/\{\{char\}\}/gi, () => character).replace(/\{\{user\}\}/gi, () => you);
}

interface OpeningsProps {
  greetings: readonly string[];
  chosen: number;
  choose: (index: number) => void;
}

function Openings({ greetings, chosen, choose }: OpeningsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.openings}>
      <legend>{t("library.greeting")}</legend>
      {greetings.map((greeting, index) => (
        <Radio
          // biome-ignore lint/suspicious/noArrayIndexKey: an opening is known by its number
          key={index}
          name="opening"
          checked={index === chosen}
          label={
            <span className={classes.opening}>
              {greeting.trim() === "" ? t("library.greetingNone") : greeting}
            </span>
          }
          onChange={() => choose(index)}
        />
      ))}
    </fieldset>
  );
}

interface PartProps {
  wanted: Wanted;
  change: (next: Partial<Wanted>) => void;
}

function Who({ wanted, change }: PartProps) {
  const { t } = useTranslation();
  const scenarios = useQuery({
    queryKey: keys.scenarios,
    queryFn: () => told(api.GET("/api/scenarios")),
  });
  const sound = (scenarios.data?.items ?? []).filter(
    (one) => (one.fault ?? null) === null && tellsStories(one.values),
  );
  const names = sound.length === 0 ? [wanted.scenario] : sound.map((one) => one.name);
  return (
    <>
      <Persona wanted={wanted} change={change} />
      <NativeSelect
        label={t("library.scenario")}
        value={wanted.scenario}
        data={names}
        onChange={(event) => change({ scenario: event.currentTarget.value })}
      />
    </>
  );
}

/** Who you are in it, with their picture. */
function Persona({ wanted, change }: PartProps) {
  const { t } = useTranslation();
  const id = wanted.persona;
  const found = useQuery({
    queryKey: [...keys.personas, id],
    queryFn: () => told(api.GET("/api/personas/{item_id}", { params: { path: { item_id: id } } })),
    enabled: id !== "",
  });
  const chosen = id === "" ? undefined : found.data;
  return (
    <div className={classes.one}>
      <Pick
        kind="personas"
        label={t("library.persona")}
        none={t("library.personaNone")}
        value={id}
        onChange={(persona) => change({ persona })}
      />
      {chosen !== undefined && (
        <span className={classes.chosen}>
          <Face name={chosen.name} picture={chosen.picture} />
        </span>
      )}
    </div>
  );
}

/** The chosen ones stay in the list, whatever is looked for. */
function Books({ wanted, change }: PartProps) {
  const { t } = useTranslation();
  const names = useNames("lorebooks");
  const seen = useRef(new Map<string, string>());
  for (const { id, name } of names.names) seen.current.set(id, name);
  if (!names.any) return null;
  const offered = new Map(names.names.map(({ id, name }) => [id, name]));
  for (const id of wanted.books) offered.set(id, seen.current.get(id) ?? id);
  return (
    <details className={classes.fold}>
      <summary>
        {t("library.books")} {wanted.books.length > 0 && `(${wanted.books.length})`}
      </summary>
      <Stack gap="sm">
        <Look names={names} of={t("library.books")} />
        {[...offered].map(([id, name]) => (
          <Checkbox
            key={id}
            label={name}
            checked={wanted.books.includes(id)}
            onChange={(event) =>
              change({
                books: event.currentTarget.checked
                  ? [...wanted.books, id]
                  : wanted.books.filter((other) => other !== id),
              })
            }
          />
        ))}
      </Stack>
    </details>
  );
}
