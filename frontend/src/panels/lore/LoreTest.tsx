/** The choice once more, with the books as they are now: for who has just changed a key. */
import { Button, Textarea } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import type { Project } from "@/api/types";
import { ErrorNote } from "@/ui/ErrorNote";
import { Pending } from "@/ui/Pending";
import classes from "./Lore.module.css";
import { LoreRows } from "./LoreRows";
import type { LoreTold } from "./types";

interface LoreTestProps {
  project: Project;
  turn: string;
  /** What the turn itself chose. */
  before: LoreTold;
}

export function LoreTest(props: LoreTestProps) {
  const turn = useQuery({
    queryKey: keys.turn(props.turn),
    queryFn: () =>
      told(api.GET("/api/turns/{turn_id}", { params: { path: { turn_id: props.turn } } })),
  });
  if (turn.error !== null) return <ErrorNote error={turn.error} />;
  if (turn.data === undefined) return <Pending />;
  return <Form key={props.turn} {...props} words={turn.data.user_text} />;
}

function Form({ project, before, words }: LoreTestProps & { words: string }) {
  const { t } = useTranslation();
  const [text, setText] = useState(words);
  const test = useMutation({
    mutationFn: () =>
      told(
        api.POST("/api/lorebooks/test", {
          body: {
            text,
            book_ids: project.lorebook_ids,
            card_id: project.card_id,
            scenario: scenarioOf(project),
            seed: 0,
            after: 0,
            limit: 200,
          },
        }),
      ),
  });
  return (
    <>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate();
        }}
      >
        <Textarea
          label={t("lore.testText")}
          description={t("lore.testHint")}
          autosize
          minRows={2}
          maxRows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || event.keyCode === 229) return;
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) test.mutate();
          }}
        />
        <Button type="submit" variant="filled" loading={test.isPending}>
          {t("lore.testRun")}
        </Button>
      </form>
      {test.error !== null && <ErrorNote error={test.error} />}
      <div role="status">
        {test.data !== undefined && (
          <>
            <p className={classes.facts}>
              {t("lore.tested")} {before.made && <Changed before={before} now={test.data} />}
            </p>
            <LoreRows found={test.data} />
          </>
        )}
      </div>
    </>
  );
}

function Changed({ before, now }: { before: LoreTold; now: LoreTold }) {
  const { t } = useTranslation();
  const names = ({ chosen }: LoreTold) => chosen.map(({ title, book }) => `${title}\n${book}`);
  const [old, present] = [new Set(names(before)), new Set(names(now))];
  const came = [...present].filter((one) => !old.has(one)).length;
  const went = [...old].filter((one) => !present.has(one)).length;
  return came + went === 0 ? t("lore.unchanged") : t("lore.changed", { came, went });
}

function scenarioOf(project: Project): string {
  const { name } = project.scenario;
  return typeof name === "string" ? name : "stage";
}
