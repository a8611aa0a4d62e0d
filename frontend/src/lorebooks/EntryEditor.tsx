/** One entry to be written: its fields in groups, or its JSON as its file has it. Each keeping is a version of
 * the book; what was typed outlives errors and reloads. */
import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";
import { forgetDraft, keepDraft, readDraft } from "@/ui/formdrafts";
import { EntryFields } from "./EntryFields";
import { BLANK, changes, type Form, formOf } from "./entryform";
import classes from "./Lorebooks.module.css";
import { RawEntry } from "./RawEntry";
import type { EntriesWritten, Entry } from "./types";
import { type BookSeen, useWriteBook } from "./useWriteBook";

interface EntryEditorProps {
  seen: BookSeen;
  /** `null`: a new one. */
  entry: Entry | null;
}

export function EntryEditor({ seen, entry }: EntryEditorProps) {
  const { t } = useTranslation();
  const [how, setHow] = useState<"form" | "raw">("form");
  const draft = `entry.${seen.place.id}.${entry?.uid ?? "new"}`;
  const [form, setForm] = useState<Form>(() => ({
    ...formOf(entry ?? BLANK),
    ...readDraft(draft),
  }));
  const write = useWriteBook(seen, () => forgetDraft(draft));
  const keep = (edit: EntriesWritten) => write.mutate({ edit, says: t("lorebooks.keptEntry") });
  const changed = changes(entry ?? BLANK, form);
  const same = entry !== null && Object.keys(changed).length === 0;
  const remove = () => entry !== null && keep({ removed: [entry.uid] });
  return (
    <>
      {entry !== null && (
        <SegmentedControl
          fullWidth
          value={how}
          data={[
            { value: "form", label: t("lorebooks.asForm") },
            { value: "raw", label: t("lorebooks.asRaw") },
          ]}
          onChange={(value) => setHow(value === "raw" ? "raw" : "form")}
        />
      )}
      {how === "raw" && entry !== null ? (
        <RawEntry
          place={seen.place}
          uid={entry.uid}
          saving={write.isPending}
          onKeep={(content) => keep({ rewritten: [{ uid: entry.uid, content }] })}
        />
      ) : (
        <form
          className={classes.entryForm}
          onSubmit={(event) => {
            event.preventDefault();
            if (entry === null) keep({ added: [changed] });
            else keep({ changed: [{ ...changed, uid: entry.uid }] });
          }}
        >
          <EntryFields
            form={form}
            change={(next) => {
              const now = { ...form, ...next } as Form; // the fields of a form
              setForm(now);
              keepDraft(draft, now);
            }}
          />
          <div className={classes.actions}>
            <Button type="submit" variant="filled" loading={write.isPending} disabled={same}>
              {t("lorebooks.keep")}
            </Button>
            {!same && (
              <Button
                onClick={() => {
                  forgetDraft(draft);
                  setForm(formOf(entry ?? BLANK));
                }}
              >
                {t("lorebooks.discard")}
              </Button>
            )}
            {entry !== null && (
              <Button variant="subtle" onClick={remove} disabled={write.isPending}>
                {t("lorebooks.remove")}
              </Button>
            )}
          </div>
        </form>
      )}
      {write.error !== null && (
        <ErrorNote
          error={write.error}
          {...(asRefusal(write.error).status === 409 ? { text: t("lorebooks.stale") } : {})}
        />
      )}
    </>
  );
}
