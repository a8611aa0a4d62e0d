/** The fields of a scenario, drawn off the server's list of them: those that matter most first, the rest by
 * section. Each says where its value comes from; one that stands in the text can be taken out again. */
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { Pending } from "@/ui/Pending";
import classes from "./Scenarios.module.css";
import { setIn, unsetIn, type Value } from "./toml";
import type { Field, Shown } from "./types";

const MAIN: readonly string[] = [
  "performer.kind",
  "scribe.enabled",
  "memory.sources",
  "compaction.every",
  "governance",
  "planner.enabled",
  "lore.selection",
  "lore.budget",
  "limits.output_tokens",
];

interface FormProps {
  text: string;
  tried: Shown;
  onText: (text: string) => void;
}

export function ScenarioForm({ text, tried, onText }: FormProps) {
  const { t } = useTranslation();
  const found = useQuery({
    queryKey: [...keys.scenarios, "fields"],
    queryFn: () => told(api.GET("/api/scenarios/fields")),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (found.error !== null) return <ErrorNote error={found.error} />;
  if (found.data === undefined) return <Pending />;
  const fields = found.data.items;
  const main = MAIN.flatMap((path) => fields.filter((one) => one.path === path));
  const rest = fields.filter((one) => !MAIN.includes(one.path));
  const sections = [...new Set(rest.map((one) => sectionOf(one.path)))];
  const draw = (field: Field) => (
    <One key={field.path} field={field} tried={tried} text={text} onText={onText} />
  );
  return (
    <div className={classes.fields}>
      {main.map(draw)}
      {sections.map((section) => (
        <details key={section}>
          <summary className={classes.summary}>{section || t("scenarios.others")}</summary>
          <div className={classes.fields}>
            {rest.filter((one) => sectionOf(one.path) === section).map(draw)}
          </div>
        </details>
      ))}
    </div>
  );
}

function sectionOf(path: string): string {
  return path.includes(".") ? (path.split(".")[0] ?? "") : "";
}

interface OneProps extends FormProps {
  field: Field;
}

function One({ field, tried, text, onText }: OneProps) {
  const { t, i18n } = useTranslation();
  const origin = tried.origins.find((one) => one.path === field.path);
  const value = origin?.value ?? field.default;
  const own = origin?.source === tried.name;
  const word = `scenarios.field.${field.path.replace(".", "_")}`;
  const label = i18n.exists(word)
    ? `${i18n.t(word as "scenarios.title")} · ${field.path}`
    : field.path;
  const source =
    origin === undefined || origin.source === "default" ? t("scenarios.default") : origin.source;
  return (
    <div className={classes.field}>
      <Input
        key={JSON.stringify(value)}
        field={field}
        label={label}
        source={source}
        value={value}
        onValue={(next) => onText(setIn(text, field.path, next))}
      />
      {own && (
        <IconButton
          icon="undo"
          label={`${t("scenarios.unset")}: ${field.path}`}
          onClick={() => onText(unsetIn(text, field.path))}
        />
      )}
    </div>
  );
}

interface InputProps {
  field: Field;
  label: string;
  source: string;
  value: unknown;
  onValue: (value: Value) => void;
}

function Input({ field, label, source, value, onValue }: InputProps) {
  const members = Array.isArray(value) ? value.map(String) : [];
  switch (field.kind) {
    case "flag":
      return (
        <Checkbox
          label={label}
          description={source}
          checked={value === true}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
      );
    case "choice":
      return (
        <NativeSelect
          label={label}
          description={source}
          value={String(value)}
          data={field.choices}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      );
    case "list":
      return (
        <Checkbox.Group
          label={label}
          description={source}
          value={members}
          onChange={(next) => onValue(field.choices.filter((one) => next.includes(one)))}
        >
          <div className={classes.members}>
            {field.choices.map((one) => (
              <Checkbox key={one} value={one} label={one} />
            ))}
          </div>
        </Checkbox.Group>
      );
    case "text":
    case "whole":
    case "number":
      return <Typed field={field} label={label} source={source} value={value} onValue={onValue} />;
  }
}

/** Written when left, so that half a number is no fault. */
function Typed({ field, label, source, value, onValue }: InputProps) {
  const numeric = field.kind !== "text";
  const range = numeric && field.low !== null && field.high !== null;
  return (
    <TextInput
      label={label}
      description={range ? `${source} · ${field.low}–${field.high}` : source}
      {...(numeric ? { type: "number", step: "any" } : {})}
      defaultValue={String(value)}
      onBlur={(event) => {
        const typed = event.currentTarget.value;
        if (typed === String(value) || (numeric && typed.trim() === "")) return;
        onValue(numeric ? Number(typed) : typed);
      }}
    />
  );
}
