/** A card to be written, by its fields or as raw JSON. Each keeping is a version; what was typed outlives
 * errors and reloads. */
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";
import { forgetDraft, keepDraft, readDraft } from "@/ui/formdrafts";
import { Greetings } from "./Greetings";
import classes from "./Sheet.module.css";
import type { CardEntry } from "./types";
import { useWriteCard, type WrittenCard } from "./useWriteCard";

const LONG = [
  "description",
  "personality",
  "scenario",
  "example",
  "creator_notes",
  "system_prompt",
  "post_history",
] as const;

interface Typed extends Record<(typeof LONG)[number], string> {
  how: "form" | "raw";
  name: string;
  nickname: string;
  tags: string;
  greetings: string[];
  raw: string;
}

interface CardEditorProps {
  card: CardEntry;
  onKept: (id: string) => void;
  onCancel: () => void;
}

export function CardEditor({ card, onKept, onCancel }: CardEditorProps) {
  const { t } = useTranslation();
  const place = `card.${card.id}`;
  const [typed, setTyped] = useState<Typed>(() => ({ ...shown(card), ...readDraft(place) }));
  const [fault, setFault] = useState<string | null>(null);
  const change = (next: Partial<Typed>) => {
    const now = { ...typed, ...next };
    setTyped(now);
    keepDraft(place, now);
  };
  const write = useWriteCard(card, (id) => {
    forgetDraft(place);
    onKept(id);
  });
  const keep = () => {
    const written = toWrite(typed);
    setFault(written === null ? t("library.notJson") : null);
    if (written !== null) write.mutate(written);
  };
  return (
    <form
      className={classes.form}
      aria-label={t("library.edit")}
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <SegmentedControl
        value={typed.how}
        data={[
          { value: "form", label: t("library.asForm") },
          { value: "raw", label: t("library.raw") },
        ]}
        onChange={(how) => change({ how: how === "raw" ? "raw" : "form" })}
      />
      {typed.how === "form" && card.fields !== null ? (
        <Fields typed={typed} change={change} />
      ) : (
        <Textarea
          label={t("library.raw")}
          description={t("library.rawHint")}
          autosize
          minRows={12}
          maxRows={30}
          spellCheck={false}
          value={typed.raw}
          error={fault}
          onChange={(event) => change({ raw: event.currentTarget.value })}
        />
      )}
      {write.error !== null && (
        <ErrorNote
          error={write.error}
          {...(asRefusal(write.error).status === 409 ? { text: t("library.stale") } : {})}
        />
      )}
      <div className={classes.actions}>
        <Button type="submit" variant="filled" loading={write.isPending}>
          {t("library.keep")}
        </Button>
        <Button
          onClick={() => {
            forgetDraft(place);
            onCancel();
          }}
        >
          {t("library.discard")}
        </Button>
      </div>
    </form>
  );
}

interface FieldsProps {
  typed: Typed;
  change: (next: Partial<Typed>) => void;
}

const WORDS = {
  description: "description",
  personality: "personality",
  scenario: "setting",
  example: "example",
  creator_notes: "notes",
  system_prompt: "systemPrompt",
  post_history: "postHistory",
} as const;

function Fields({ typed, change }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t("library.persona_name")}
        required
        maxLength={1000}
        value={typed.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t("library.nickname")}
        maxLength={1000}
        value={typed.nickname}
        onChange={(event) => change({ nickname: event.currentTarget.value })}
      />
      <TextInput
        label={t("library.tags")}
        description={t("library.tagsHint")}
        value={typed.tags}
        onChange={(event) => change({ tags: event.currentTarget.value })}
      />
      <Greetings greetings={typed.greetings} change={(greetings) => change({ greetings })} />
      {LONG.map((field) => (
        <Textarea
          key={field}
          label={t(`library.${WORDS[field]}`)}
          autosize
          minRows={field === "description" ? 5 : 2}
          maxRows={20}
          value={typed[field]}
          onChange={(event) => change({ [field]: event.currentTarget.value })}
        />
      ))}
    </>
  );
}

function shown(card: CardEntry): Typed {
  const fields = card.fields;
  const text = (field: (typeof LONG)[number]) => fields?.[field] ?? "";
  return {
    how: fields === null ? "raw" : "form",
    name: fields?.name ?? card.name,
    nickname: fields?.nickname ?? "",
    tags: card.tags.join(", "),
    greetings: fields?.greetings ?? [""],
    description: text("description"),
    personality: text("personality"),
    scenario: text("scenario"),
    example: text("example"),
    creator_notes: text("creator_notes"),
    system_prompt: text("system_prompt"),
    post_history: text("post_history"),
    raw: JSON.stringify(card.content, null, 2),
  };
}

/** What the server is asked to write; `null` for raw text that is no JSON object. */
function toWrite(typed: Typed): WrittenCard | null {
  const { how, raw, tags, ...fields } = typed;
  if (how === "form") {
    const split = tags.split(/[,，、]/).map((tag) => tag.trim());
    return { ...fields, tags: split.filter(Boolean) };
  }
  try {
    const content: unknown = JSON.parse(raw);
    if (typeof content !== "object" || content === null || Array.isArray(content)) return null;
    return { content: content as Record<string, never> }; // an object of JSON
  } catch {
    return null;
  }
}
