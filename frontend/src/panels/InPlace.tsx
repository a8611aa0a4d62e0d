/** A value that is edited where it stands. Leaving the field neither saves nor discards: what was typed
 * stays, with a chip that says so. */
import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { KeyboardEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { composing } from "@/ui/composing";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import { IconButton } from "@/ui/IconButton";
import { type Draft, useDraft } from "./drafts";
import classes from "./Panels.module.css";

interface InPlaceProps {
  /** Which field of which story; under it what was typed is kept. */
  id: string;
  label: string;
  value: string;
  save: (text: string) => Promise<unknown>;
  /** The value as it is shown; the value itself if left out. */
  children?: ReactNode;
  tools?: ReactNode;
  /** Looked at only: an earlier turn, or what may not be changed. */
  fixed?: boolean | undefined;
  hint?: string;
}

export function InPlace(props: InPlaceProps) {
  const { t } = useTranslation();
  const draft = useDraft(props.id);
  if (draft.open) return <Field {...props} draft={draft} />;
  const shown = props.children ?? (props.value === "" ? t("world.none") : props.value);
  return (
    <div className={classes.field}>
      <span className={classes.label}>{props.label}</span>
      <div className={classes.value}>{shown}</div>
      <div className={classes.tools}>
        {props.tools}
        {props.fixed !== true && (
          <IconButton
            icon="edit"
            label={t("world.edit", { name: props.label })}
            onClick={() => draft.begin(props.value)}
          />
        )}
      </div>
      {draft.kept !== null && props.fixed !== true && (
        <button type="button" className={classes.chip} onClick={() => draft.begin(props.value)}>
          {t("world.unsaved")}
        </button>
      )}
    </div>
  );
}

function Field({ label, value, save, draft, hint }: InPlaceProps & { draft: Draft }) {
  const { t } = useTranslation();
  const text = draft.kept?.text ?? value;
  const writing = useMutation({ mutationFn: () => save(text), onSuccess: draft.drop });
  useEscape(true, draft.leave);
  // What is typed here may be there before the answer is that says so.
  const own = writing.isPending || draft.kept?.text === value;
  const moved = draft.kept !== null && draft.kept.base !== value && !own;
  const onKeyDown = (event: KeyboardEvent) => {
    if (composing(event) || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    writing.mutate();
  };
  return (
    <div className={classes.editing}>
      <Textarea
        label={label}
        description={hint}
        autosize
        minRows={1}
        maxRows={16}
        data-autofocus
        autoFocus
        value={text}
        onChange={(event) => draft.type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {moved && <p role="status">{t("world.moved", { value: value || t("world.none") })}</p>}
      {writing.error !== null && <ErrorNote error={writing.error} />}
      <div className={classes.buttons}>
        <Button loading={writing.isPending} onClick={() => writing.mutate()}>
          {t("common.save")}
        </Button>
        <Button variant="subtle" onClick={draft.drop}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}
