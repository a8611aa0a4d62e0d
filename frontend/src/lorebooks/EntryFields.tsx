/** The fields of an entry, drawn off their table: the first group open, the others folded, those that say
 * something of their own marked. */
import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type FieldKind, type FieldName, type Form, GROUPS, isSet } from "./entryform";
import classes from "./Lorebooks.module.css";

const LOGICS = ["any", "notAll", "none", "all"] as const;
const POSITIONS = [
  "beforeCharacter",
  "afterCharacter",
  "noteTop",
  "noteBottom",
  "atDepth",
  "beforeExamples",
  "afterExamples",
  "outlet",
] as const;
const ROLES = ["system", "user", "assistant"] as const;

interface FieldsProps {
  form: Form;
  change: (next: Partial<Form>) => void;
}

export function EntryFields({ form, change }: FieldsProps) {
  const { t } = useTranslation();
  return GROUPS.map((group, place) => (
    <details key={group.name} className={classes.group} open={place === 0}>
      <summary>
        {t(`lorebooks.groups.${group.name}`)}
        {place > 0 && isSet(group, form) && (
          <span className={classes.facts}> · {t("lorebooks.isSet")}</span>
        )}
      </summary>
      <div className={classes.fields}>
        {Object.entries(group.fields).map(([name, kind]) => (
          <Field
            key={name}
            name={name as FieldName}
            kind={kind}
            value={form[name as FieldName]}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
      </div>
    </details>
  ));
}

interface FieldProps {
  name: FieldName;
  kind: FieldKind;
  value: string | boolean;
  onChange: (value: string | boolean) => void;
}

function Field({ name, kind, value, onChange }: FieldProps) {
  const { t } = useTranslation();
  const label = t(`lorebooks.field.${name}`);
  if (kind === "flag") {
    return (
      <Checkbox
        label={label}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (kind === "tri" || kind === "choice") {
    return (
      <Choice name={name} label={label} kind={kind} value={String(value)} onChange={onChange} />
    );
  }
  if (kind === "lines" || kind === "long") {
    return (
      <Textarea
        label={label}
        {...(kind === "lines" ? { description: t("lorebooks.oneALine") } : {})}
        autosize
        minRows={kind === "long" ? 5 : 1}
        maxRows={20}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      label={label}
      {...(kind === "line" ? {} : { type: "number", inputMode: "decimal", step: "any" })}
      {...(kind === "optional" ? { placeholder: t("lorebooks.asSet") } : {})}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface ChoiceProps {
  name: FieldName;
  label: string;
  kind: "tri" | "choice";
  value: string;
  onChange: (value: string) => void;
}

function Choice({ name, label, kind, value, onChange }: ChoiceProps) {
  const { t } = useTranslation();
  const data =
    kind === "tri"
      ? [
          { value: "", label: t("lorebooks.asSet") },
          { value: "yes", label: t("lorebooks.yes") },
          { value: "no", label: t("lorebooks.no") },
        ]
      : choices(name).map((label, at) => ({ value: String(at), label }));
  function choices(of: FieldName): string[] {
    if (of === "logic") return LOGICS.map((one) => t(`lorebooks.logic.${one}`));
    if (of === "role") return ROLES.map((one) => t(`lorebooks.role.${one}`));
    return POSITIONS.map((one) => t(`lorebooks.positions.${one}`));
  }
  return (
    <NativeSelect
      label={label}
      value={value}
      data={data}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
