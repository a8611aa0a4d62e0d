/** A stretch of a reply as it is edited: in its place, in its own type, so that nothing jumps. Leaving
 * the field neither saves nor discards. */
import { Button } from "@mantine/core";
import { type KeyboardEvent, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import type { PathItem } from "@/api/types";
import { wordsAlone } from "@/images/marker";
import { Prose } from "@/reading/Prose";
import { tongueOf } from "@/reading/tongue";
import { composing } from "@/ui/composing";
import { ErrorNote } from "@/ui/ErrorNote";
import { useEscape } from "@/ui/escape";
import classes from "./EditProse.module.css";
import { type Edit, edited, forgetEdit, leaveEdit, typeEdit } from "./edits";
import { useVerb } from "./verbs";

export function EditProse({ item, edit }: { item: PathItem; edit: Edit }) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const save = useVerb(async () => {
    await told(
      api.PUT("/api/turns/{turn_id}/final", {
        params: {
          path: { turn_id: item.id },
          header: { "If-Match": `"${edit.version}"` },
        },
        body: { text: edited(item, edit) },
      }),
    );
    forgetEdit(item.id);
  });
  useEscape(true, () => leaveEdit(item, edit));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each input may change the height
  useLayoutEffect(() => grow(field.current), [edit.text]);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const stale = edit.version !== item.version;
  const onKeyDown = (event: KeyboardEvent) => {
    if (composing(event) || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!stale) save.mutate();
  };
  const before = stale ? "" : item.final_text.slice(0, edit.start);
  const after = stale ? "" : item.final_text.slice(edit.end);
  return (
    <div>
      {before.trim() !== "" && <Prose text={before} />}
      <textarea
        ref={field}
        className={`prose ${classes.field}`}
        lang={tongueOf(wordsAlone(edit.text)) ?? undefined}
        aria-label={t("stage.editing")}
        value={edit.text}
        onChange={(event) => typeEdit(edit, event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes.actions}>
        <Button
          variant="filled"
          loading={save.isPending}
          disabled={stale}
          onClick={() => save.mutate()}
        >
          {t("common.save")}
        </Button>
        <Button onClick={() => leaveEdit(item, edit)}>{t("common.close")}</Button>
        <Button variant="subtle" onClick={() => forgetEdit(item.id)}>
          {t("stage.dropEdit")}
        </Button>
        <span className={classes.hint}>{t("stage.editKeys")}</span>
      </div>
      {stale && <p role="alert">{t("stage.editStale")}</p>}
      {save.error !== null && <ErrorNote error={save.error} />}
      {stale ? <Prose text={item.final_text} /> : after.trim() !== "" && <Prose text={after} />}
    </div>
  );
}

function grow(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.style.height = "0";
  field.style.height = `${field.scrollHeight + 2}px`;
}
