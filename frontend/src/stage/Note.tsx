/** The author's note: a standing word to the model, and how often and where it is said. */
import { Button, NumberInput, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import type { AuthorsNote } from "@/api/types";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import classes from "./Stage.module.css";
import { useStage } from "./stage";
import { useNote } from "./useNote";
import { useVerb } from "./verbs";

export default function Note({ onDone }: { onDone: () => void }) {
  const note = useNote();
  if (note.error !== null) return <ErrorNote error={note.error} />;
  if (note.data === undefined) return <Pending />;
  return <Form note={note.data} key={note.data.revision} onDone={onDone} />;
}

function Form({ note, onDone }: { note: AuthorsNote; onDone: () => void }) {
  const { t } = useTranslation();
  const { project } = useStage();
  const [text, setText] = useState(note.text);
  const [interval, setInterval] = useState(note.interval);
  const [depth, setDepth] = useState(note.depth);
  const save = useVerb(() =>
    told(
      api.PUT("/api/projects/{project_id}/note", {
        params: { path: { project_id: project.id } },
        body: { ...note, text, interval, depth },
      }),
    ),
  );
  return (
    <Stack>
      <Textarea
        autoFocus
        autosize
        minRows={4}
        maxRows={14}
        label={t("stage.noteText")}
        description={t("stage.noteAbout")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.naming}>
        <NumberInput
          label={t("stage.noteInterval")}
          min={0}
          value={interval}
          onChange={(value) => setInterval(Number(value))}
        />
        <NumberInput
          label={t("stage.noteDepth")}
          min={0}
          value={depth}
          onChange={(value) => setDepth(Number(value))}
        />
      </div>
      {save.error !== null && <ErrorNote error={save.error} />}
      <div className={classes.buttons}>
        <Button
          variant="filled"
          loading={save.isPending}
          onClick={() => save.mutate(undefined, { onSuccess: onDone })}
        >
          {t("common.save")}
        </Button>
      </div>
    </Stack>
  );
}
