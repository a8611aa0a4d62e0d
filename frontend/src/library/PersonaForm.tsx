/** A persona to be written: each keeping is a version, and what was typed outlives errors and reloads. */
import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";
import { forgetDraft, keepDraft, readDraft } from "@/ui/formdrafts";
import { type PersonaLink, PersonaLinks } from "./PersonaLinks";
import { PersonaPlace, type Standing } from "./PersonaPlace";
import classes from "./Sheet.module.css";
import type { PersonaItem } from "./types";

interface PersonaFormProps {
  /** `null` for a new one. */
  persona: PersonaItem | null;
  onKept: (id: string) => void;
}

interface Typed extends Standing {
  name: string;
  description: string;
  title: string;
  default: boolean;
}

export function PersonaForm({ persona, onKept }: PersonaFormProps) {
  const { t } = useTranslation();
  const place = `persona.${persona?.id ?? "new"}`;
  const [typed, setTyped] = useState<Typed>(() => ({ ...shown(persona), ...readDraft(place) }));
  const change = (next: Partial<Typed>) => {
    const now = { ...typed, ...next };
    setTyped(now);
    keepDraft(place, now);
  };
  const keep = useKeep(persona, typed, (id) => {
    forgetDraft(place);
    onKept(id);
  });
  const stale = keep.error !== null && asRefusal(keep.error).status === 409;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        keep.mutate();
      }}
    >
      <TextInput
        label={t("library.persona_name")}
        required
        maxLength={200}
        value={typed.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t("library.persona_text")}
        autosize
        minRows={5}
        maxRows={20}
        value={typed.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <TextInput
        label={t("library.persona_title")}
        maxLength={200}
        value={typed.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <PersonaPlace standing={typed} change={change} />
      <PersonaLinks links={typed.links} change={(links) => change({ links })} />
      <Checkbox
        label={t("library.persona_default")}
        checked={typed.default}
        onChange={(event) => change({ default: event.currentTarget.checked })}
      />
      {stale && <ErrorNote error={keep.error} text={t("library.stale")} />}
      {keep.error !== null && !stale && <ErrorNote error={keep.error} />}
      <Button
        type="submit"
        variant="filled"
        loading={keep.isPending}
        disabled={typed.name.trim() === ""}
      >
        {t("library.keep")}
      </Button>
    </form>
  );
}

function shown(persona: PersonaItem | null): Typed {
  return {
    name: persona?.name ?? "",
    description: persona?.description ?? "",
    title: persona?.title ?? "",
    default: persona?.default ?? false,
    place: persona?.place ?? "in_prompt",
    depth: persona?.depth ?? 2,
    role: persona?.role ?? "system",
    lorebook: persona?.lorebook ?? "",
    links: (persona?.links ?? []).map(linked),
  };
}

function useKeep(persona: PersonaItem | null, typed: Typed, onKept: (id: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const body = { avatar: persona?.avatar ?? "", ...typed };
      if (persona === null) return told(api.POST("/api/personas", { body }));
      return told(
        api.PUT("/api/personas/{item_id}", {
          params: { path: { item_id: persona.id } },
          body: { ...body, revision: persona.revision },
        }),
      );
    },
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: keys.personas });
      onKept(id);
    },
    onError: () => queries.invalidateQueries({ queryKey: keys.personas }),
  });
}

const LINKED = ["character", "group", "project"] as const;

function linked({ kind, id }: PersonaItem["links"][number]): PersonaLink {
  return { kind: LINKED.find((one) => one === kind) ?? "character", id };
}
