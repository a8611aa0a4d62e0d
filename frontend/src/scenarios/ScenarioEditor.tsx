/** A scenario of the reader's own to be written, by its fields or as TOML: the form writes into the text. What is
 * typed is checked at once, outlives a reload, and is kept only when sound. */
import { Button, SegmentedControl, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import { ErrorNote } from "@/ui/ErrorNote";
import { forgetDraft, keepDraft, readDraft } from "@/ui/formdrafts";
import { Faults } from "./Faults";
import { Origins } from "./Origins";
import { ScenarioForm } from "./ScenarioForm";
import classes from "./Scenarios.module.css";
import type { Shown } from "./types";

const WAIT_MS = 300;
export type How = "form" | "text" | "resolved";

interface EditorProps {
  scenario: Shown;
  how: How;
  onHow: (how: How) => void;
  onGone: () => void;
}

export function ScenarioEditor({ scenario, how, onHow, onGone }: EditorProps) {
  const { t } = useTranslation();
  const { name } = scenario;
  const draft = `scenario.${name}`;
  const [text, setText] = useState(() => textIn(readDraft(draft)) ?? scenario.text);
  const type = (next: string) => {
    setText(next);
    keepDraft(draft, { text: next });
  };
  const tried = useTried(scenario, text);
  const { keep, remove } = useWrites(scenario, text, () => forgetDraft(draft), onGone);
  const same = text === scenario.text;
  return (
    <>
      <SegmentedControl
        fullWidth
        value={how}
        data={[
          { value: "form", label: t("scenarios.asForm") },
          { value: "text", label: t("scenarios.asText") },
          { value: "resolved", label: t("scenarios.asResolved") },
        ]}
        onChange={(value) => onHow(HOWS.find((one) => one === value) ?? "form")}
      />
      <Faults faults={tried.faults} />
      {how === "form" && <ScenarioForm text={text} tried={tried} onText={type} />}
      {how === "text" && (
        <Textarea
          aria-label={t("scenarios.asText")}
          autosize
          minRows={14}
          maxRows={40}
          spellCheck={false}
          classNames={{ input: classes.code ?? "" }}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )}
      {how === "resolved" && <Origins scenario={tried} />}
      {keep.error !== null && (
        <ErrorNote
          error={keep.error}
          {...(asRefusal(keep.error).code === "stale" ? { text: t("scenarios.stale") } : {})}
        />
      )}
      {remove.error !== null && <ErrorNote error={remove.error} />}
      <div className={classes.actions}>
        <Button
          variant="filled"
          loading={keep.isPending}
          disabled={same || tried.faults.length > 0 || remove.isPending}
          onClick={() => keep.mutate()}
        >
          {t("scenarios.keep")}
        </Button>
        {!same && (
          <Button
            onClick={() => {
              forgetDraft(draft);
              setText(scenario.text);
            }}
          >
            {t("scenarios.discard")}
          </Button>
        )}
        <Button
          variant="subtle"
          loading={remove.isPending}
          disabled={keep.isPending} // what it removes is the version that is being kept
          onClick={() => remove.mutate()}
        >
          {t("scenarios.remove")}
        </Button>
      </div>
      <p className={classes.about}>{t("scenarios.laterTurns")}</p>
    </>
  );
}

const HOWS = ["form", "text", "resolved"] as const;

function textIn(draft: object): string | null {
  return "text" in draft && typeof draft.text === "string" ? draft.text : null;
}

/** What the text would be; until that is known, what the last one was. */
function useTried(scenario: Shown, text: string): Shown {
  const [settled] = useDebouncedValue(text, WAIT_MS);
  const found = useQuery({
    queryKey: [...keys.scenarios, scenario.name, "tried", settled],
    queryFn: () =>
      told(api.POST("/api/scenarios/check", { body: { name: scenario.name, text: settled } })),
    enabled: settled !== scenario.text,
    placeholderData: keepPreviousData,
  });
  return settled === scenario.text ? scenario : (found.data ?? scenario);
}

function useWrites(scenario: Shown, text: string, onKept: () => void, onGone: () => void) {
  const queries = useQueryClient();
  const path = { name: scenario.name };
  const refresh = () => queries.invalidateQueries({ queryKey: keys.scenarios });
  const keep = useMutation({
    mutationFn: () =>
      told(
        api.PUT("/api/scenarios/{name}", { params: { path }, body: { text, hash: scenario.hash } }),
      ),
    onSuccess: () => {
      onKept();
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () =>
      told(
        api.DELETE("/api/scenarios/{name}", { params: { path, query: { hash: scenario.hash } } }),
      ),
    onSuccess: () => {
      onKept();
      onGone();
      return refresh();
    },
  });
  return { keep, remove };
}
