/** The box that tells what a text would bring from a book, and of every other entry why not. */
import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { Pick } from "@/picking/Pick";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Lorebooks.module.css";
import type { EntryIn, EntryOut, LoreTold } from "./types";
import type { BookPlace } from "./useEntries";

const SHOWN = 100;

export function TestBox({ place }: { place: BookPlace }) {
  const { t } = useTranslation();
  const [text, setText] = useState(() => kept());
  const [story, setStory] = useState("");
  const test = useMutation({
    mutationFn: () =>
      told(
        api.POST("/api/lorebooks/test", {
          body: {
            text,
            book_ids: place.ofCard ? [] : [place.id],
            card_id: place.ofCard ? place.id : null,
            project_id: story === "" ? null : story,
            scenario: "stage",
            seed: 0,
            after: 0,
            limit: SHOWN,
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
          label={t("lorebooks.testText")}
          description={t("lorebooks.testHint")}
          autosize
          minRows={4}
          maxRows={12}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            keep(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || event.keyCode === 229) return;
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) test.mutate();
          }}
        />
        <Pick
          kind="stories"
          label={t("lorebooks.inStory")}
          none={t("lorebooks.noStory")}
          orNothing
          value={story}
          onChange={setStory}
        />
        <Button type="submit" loading={test.isPending}>
          {t("lorebooks.tryIt")}
        </Button>
      </form>
      {test.error !== null && <ErrorNote error={test.error} />}
      <div role="status">{test.data !== undefined && <Results found={test.data} />}</div>
    </>
  );
}

function Results({ found }: { found: LoreTold }) {
  const { t } = useTranslation();
  const more = found.left_out_total - found.left_out.length;
  return (
    <div className={classes.results}>
      <h3>
        {t("lorebooks.in")} {found.chosen.length}
      </h3>
      {found.chosen.length === 0 && <p className={classes.facts}>{t("lorebooks.noneIn")}</p>}
      <ul className={classes.reasons}>
        {found.chosen.map((entry) => (
          <In key={entry.ref} entry={entry} where={placeOf(entry, found)} />
        ))}
      </ul>
      <h3>
        {t("lorebooks.out")} {found.left_out_total}
      </h3>
      <ul className={classes.reasons}>
        {found.left_out.map((entry) => (
          <Out key={entry.ref} entry={entry} />
        ))}
      </ul>
      {more > 0 && <p className={classes.facts}>{t("lorebooks.outMore", { n: more })}</p>}
    </div>
  );
}

function In({ entry, where }: { entry: EntryIn; where: string }) {
  const { t, i18n } = useTranslation();
  const known = `lorebooks.chosenBy.${entry.reason}`;
  return (
    <li>
      <strong>{entry.title || t("lorebooks.untitled")}</strong>
      <p className={classes.facts}>
        {i18n.exists(known) ? String(i18n.t(known as "lorebooks.in")) : entry.reason}
        {entry.key !== "" && ` · ${t("lorebooks.key", { key: entry.key, where })}`}
        {` · ${t("lorebooks.tokens", { n: entry.tokens })}`}
      </p>
    </li>
  );
}

/** Where a key was found, in words: in the text itself, or in an entry that came in before. */
function placeOf(entry: EntryIn, found: LoreTold): string {
  if (entry.where === "words") return i18next.t("lorebooks.theText");
  const back = /^message (\d+)$/.exec(entry.where)?.[1];
  if (back !== undefined) return i18next.t("lorebooks.aMessage", { back });
  const through = found.chosen.find((one) => entry.where === `recursion ${one.ref}`);
  if (through === undefined) return entry.where;
  return i18next.t("lorebooks.anEntry", { title: through.title });
}

function Out({ entry }: { entry: EntryOut }) {
  const { t, i18n } = useTranslation();
  const known = `lorebooks.leftBy.${entry.reason}`;
  return (
    <li>
      <strong>{entry.title || t("lorebooks.untitled")}</strong>
      <p className={classes.why}>
        {i18n.exists(known) ? String(i18n.t(known as "lorebooks.out")) : entry.reason}
      </p>
      {entry.detail !== "" && <p className={classes.facts}>{entry.detail}</p>}
    </li>
  );
}

const PLACE = "huaben.lorebooks.test";

function kept(): string {
  try {
    return localStorage.getItem(PLACE) ?? "";
  } catch {
    return ""; // a store that is closed keeps nothing
  }
}

function keep(text: string): void {
  try {
    localStorage.setItem(PLACE, text);
  } catch {
    // The text is still in the box.
  }
}
