/** Find and replace in all chapters: the places are shown first, each can be taken out, and what is replaced is
 * one state of the book that can be taken back. */
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import type { Project } from "@/api/types";
import { keep, kept } from "@/ui/draft";
import { ErrorNote } from "@/ui/ErrorNote";
import { useBookVerb, useTakeBack } from "../history/moving";
import { FoundIn } from "./FoundIn";
import { chosenIn, type LeftOut, NONE, type Words, wish, wordsFrom } from "./hits";
import classes from "./Replace.module.css";

const PAUSE_MS = 250;
const CODES = ["bad_pattern", "pattern_too_slow", "text_too_large"] as const;

export default function ReplacePanel({ project }: { project: Project }) {
  const { t } = useTranslation();
  const place = `huaben.replace.${project.id}`;
  const [words, setWords] = useState(() => wordsFrom(kept(place)));
  const [left, setLeft] = useState<LeftOut>(NONE);
  const [asked] = useDebouncedValue(words, PAUSE_MS);
  const found = useFound(project.id, asked);
  const files = asked.find === "" ? [] : (found.data?.files ?? []);
  const chosen = files.reduce((sum, file) => sum + chosenIn(left, file), 0);
  const doing = useReplace(project.id);
  const change = (more: Partial<Words>) => {
    const next = { ...words, ...more };
    setWords(next);
    keep(place, JSON.stringify(next));
  };
  const stale = asked !== words || found.isFetching;
  return (
    <div className={classes.panel}>
      <Asking words={words} change={change} />
      {asked.find !== "" && <Refused error={found.error} />}
      <p className={classes.facts} role="status">
        {asked.find !== "" && found.isSuccess && files.length === 0 && t("manuscript.foundNone")}
        {files.length > 0 &&
          t("manuscript.foundIn", { count: found.data?.count ?? 0, files: files.length })}
      </p>
      <Refused error={doing.error} />
      {files.length > 0 && (
        <Button
          variant="filled"
          disabled={chosen === 0 || stale || project.active !== null}
          loading={doing.isPending}
          onClick={() => doing.mutate({ words: asked, chosen, ...wish(left, files) })}
        >
          {t("manuscript.replaceChosen", { count: chosen })}
        </Button>
      )}
      {project.active !== null && <p className={classes.facts}>{t("manuscript.whileRunning")}</p>}
      {files.map((file) => (
        <FoundIn key={file.name} project={project.id} file={file} left={left} onLeft={setLeft} />
      ))}
    </div>
  );
}

function useFound(project: string, words: Words) {
  return useQuery({
    queryKey: [...keys.project(project), "replace", words],
    queryFn: () =>
      told(
        api.POST("/api/projects/{project_id}/chapters/replace", {
          params: { path: { project_id: project } },
          body: { ...words, whole_words: words.whole_words && !words.pattern },
        }),
      ),
    enabled: words.find !== "",
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

interface Wanted extends ReturnType<typeof wish> {
  words: Words;
  chosen: number;
}

function useReplace(project: string) {
  const { t } = useTranslation();
  const takeBack = useTakeBack(project);
  return useBookVerb(project, async ({ words, files, left_out }: Wanted) => {
    const done = await told(
      api.POST("/api/projects/{project_id}/chapters/replace", {
        params: { path: { project_id: project } },
        body: { ...words, whole_words: words.whole_words && !words.pattern, files, left_out },
      }),
    );
    if (done.checkpoint !== null) await takeBack(t("manuscript.replaced", { count: done.count }));
  });
}

function Refused({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (error === null) return null;
  const { code, facts } = asRefusal(error);
  if (code === "chapter_changed") {
    const names = Array.isArray(facts.files) ? facts.files.join(t("manuscript.comma")) : "";
    return <ErrorNote error={error} text={t("manuscript.changedSince", { names })} />;
  }
  const known = CODES.find((one) => one === code);
  if (known === undefined) return <ErrorNote error={error} />;
  return <ErrorNote error={error} text={t(`manuscript.${known}`)} />;
}

interface AskingProps {
  words: Words;
  change: (more: Partial<Words>) => void;
}

function Asking({ words, change }: AskingProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t("manuscript.find")}
        autoFocus
        value={words.find}
        onChange={(event) => change({ find: event.currentTarget.value })}
      />
      <TextInput
        label={t("manuscript.replaceBy")}
        {...(words.pattern && { description: t("manuscript.references") })}
        value={words.replace}
        onChange={(event) => change({ replace: event.currentTarget.value })}
      />
      <div className={classes.options}>
        <Checkbox
          label={t("manuscript.ignoreCase")}
          checked={words.ignore_case}
          onChange={(event) => change({ ignore_case: event.currentTarget.checked })}
        />
        <Checkbox
          label={t("manuscript.wholeWords")}
          checked={words.whole_words && !words.pattern}
          disabled={words.pattern}
          onChange={(event) => change({ whole_words: event.currentTarget.checked })}
        />
        <Checkbox
          label={t("manuscript.pattern")}
          checked={words.pattern}
          onChange={(event) => change({ pattern: event.currentTarget.checked })}
        />
      </div>
    </>
  );
}
