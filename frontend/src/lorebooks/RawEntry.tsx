/** An entry as its file has it, with the fields that no form knows. */
import { Button, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import classes from "./Lorebooks.module.css";
import type { RawContent } from "./types";
import type { BookPlace } from "./useEntries";

interface RawEntryProps {
  place: BookPlace;
  uid: number;
  saving: boolean;
  onKeep: (content: RawContent) => void;
}

export function RawEntry({ place, uid, saving, onKeep }: RawEntryProps) {
  const found = useQuery({
    queryKey: [...keys.lorebooks, place, "raw", uid],
    queryFn: () => rawOf(place, uid),
  });
  if (found.error !== null) return <ErrorNote error={found.error} />;
  if (found.data === undefined) return <Pending />;
  const text = JSON.stringify(found.data.content, null, 2);
  return <Edited key={text} text={text} saving={saving} onKeep={onKeep} />;
}

interface EditedProps {
  text: string;
  saving: boolean;
  onKeep: (content: RawContent) => void;
}

function Edited({ text, saving, onKeep }: EditedProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(text);
  const [fault, setFault] = useState<string | null>(null);
  return (
    <form
      className={classes.entryForm}
      onSubmit={(event) => {
        event.preventDefault();
        const content = objectIn(typed);
        setFault(content === null ? t("lorebooks.notJson") : null);
        if (content !== null) onKeep(content);
      }}
    >
      <Textarea
        label={t("lorebooks.asRaw")}
        description={t("lorebooks.rawHint")}
        autosize
        minRows={10}
        maxRows={30}
        spellCheck={false}
        classNames={{ input: classes.code ?? "" }}
        value={typed}
        error={fault}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={classes.actions}>
        <Button type="submit" variant="filled" loading={saving} disabled={typed === text}>
          {t("lorebooks.keep")}
        </Button>
      </div>
    </form>
  );
}

function objectIn(text: string): RawContent | null {
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content !== "object" || content === null || Array.isArray(content)) return null;
    return content as RawContent; // an object of JSON
  } catch {
    return null;
  }
}

function rawOf({ id, ofCard }: BookPlace, uid: number) {
  if (ofCard) {
    const path = { card_id: id, uid };
    return told(api.GET("/api/cards/{card_id}/entries/{uid}/raw", { params: { path } }));
  }
  const path = { book_id: id, uid };
  return told(api.GET("/api/lorebooks/{book_id}/entries/{uid}/raw", { params: { path } }));
}
