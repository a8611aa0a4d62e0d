/** The box: words are kept while they are typed and leave it only when the server has them. Generating
 * never disables typing; what is sent meanwhile waits its turn. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";
import { asRefusal } from "@/api/problem";
import { usePreferences } from "@/reading/preferences";
import { composing } from "@/ui/composing";
import { draftOf, kept } from "@/ui/draft";
import { ErrorNote } from "@/ui/ErrorNote";
import { IconButton } from "@/ui/IconButton";
import { Chips } from "./Chips";
import { useEditing } from "./edits";
import classes from "./Foot.module.css";
import { Moved } from "./Moved";
import { useStage } from "./stage";
import { endOf, stop, useSay, useVerb } from "./verbs";

const COARSE = "(pointer: coarse)";

export function Composer() {
  const { t } = useTranslation();
  const { project, busy } = useStage();
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = draftOf(project.id);
  const text = draft.use();
  const say = useSay();
  const stopping = useVerb(() => stop(project.active ?? ""));
  const editing = useEditing();
  const { enterSends } = usePreferences();
  useCue();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each input may change the height
  useLayoutEffect(() => grow(box.current), [text]);

  const ready = text.trim() !== "" && !say.isPending && !editing;
  const send = () => {
    if (ready) say.mutate({ text: draft.get(), parent: endOf(project) });
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (composing(event) || event.key !== "Enter" || event.altKey) return;
    const asked = event.ctrlKey || event.metaKey;
    const sends = !matchMedia(COARSE).matches && event.shiftKey !== enterSends;
    if (!asked && !sends) return;
    event.preventDefault();
    send();
  };
  const refusal = say.error === null ? null : asRefusal(say.error);
  return (
    <div className={classes.foot}>
      {refusal?.code === "head_moved" && say.variables !== undefined ? (
        <Moved words={say.variables} onDone={() => say.reset()} />
      ) : (
        refusal !== null && <ErrorNote error={refusal} onRetry={send} />
      )}
      {stopping.error !== null && <ErrorNote error={stopping.error} />}
      <Chips />
      <div className={classes.box}>
        <textarea
          ref={box}
          className={classes.words}
          data-composer=""
          rows={1}
          aria-label={t("stage.yourWords")}
          placeholder={t("stage.yourWords")}
          enterKeyHint={enterSends ? "enter" : "send"}
          value={text}
          onChange={(event) => draft.set(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {project.active !== null && text.trim() !== "" && (
          <Button className={classes.queue} disabled={!ready} onClick={send}>
            {t("stage.queue")}
          </Button>
        )}
        {project.active !== null ? (
          <IconButton
            icon="stop"
            size={44}
            label={t("stage.stop")}
            disabled={stopping.isPending}
            onClick={() => {
              stopping.mutate();
              box.current?.focus();
            }}
          />
        ) : (
          <IconButton
            icon="send"
            size={44}
            primary
            label={t(busy ? "stage.queue" : "stage.send")}
            disabled={!ready}
            onClick={send}
          />
        )}
      </div>
      {editing && <p className={classes.hint}>{t("stage.whileEditing")}</p>}
    </div>
  );
}

/** The words that lead on in a rehearsal stand in the empty box, once for each end of the story. */
function useCue(): void {
  const { project } = useStage();
  const cue = useQuery({
    queryKey: [...keys.project(project.id), "cue", project.head],
    queryFn: () =>
      told(
        api.GET("/api/projects/{project_id}/cue", { params: { path: { project_id: project.id } } }),
      ),
    enabled: project.active === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const given = useRef("");
  const words = cue.data?.cue ?? "";
  useEffect(() => {
    if (words === "" || project.active !== null || given.current === project.head) return;
    given.current = project.head;
    const draft = draftOf(project.id);
    if (draft.get() === "" && kept(`huaben.pending.${project.id}`) === "") draft.set(words);
  }, [words, project.head, project.id, project.active]);
}

function grow(box: HTMLTextAreaElement | null): void {
  if (box === null) return;
  box.style.height = "0";
  box.style.height = `${Math.min(box.scrollHeight, window.innerHeight * 0.4)}px`;
}
