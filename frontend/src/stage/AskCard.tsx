/** A question of the story's to the user: options to choose from, own words beside or instead. Choosing
 * an option selects it; only the button sends. */
import { Button, Textarea } from "@mantine/core";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, told } from "@/api/client";
import { asRefusal } from "@/api/problem";
import type { AskView } from "@/api/turnview";
import { composing } from "@/ui/composing";
import { keep, kept } from "@/ui/draft";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Foot.module.css";
import { stop, useVerb } from "./verbs";

export function AskCard({ turn, ask }: { turn: string; ask: AskView }) {
  const { t } = useTranslation();
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const place = `huaben.answer.${turn}.${ask.call}`;
  const [chosen, setChosen] = useState<number | null>(null);
  const [own, setOwn] = useState(() => kept(place));
  const answer = useVerb(async (text: string) => {
    await told(
      api.POST("/api/turns/{turn_id}/answer", {
        params: { path: { turn_id: turn } },
        body: { answer: text },
      }),
    );
    keep(place, "");
  });
  const stopping = useVerb(() => stop(turn));
  const option = chosen === null ? "" : (ask.options[chosen] ?? "");
  const whole = [option, own.trim()].filter(Boolean).join("\n");
  const send = () => whole !== "" && answer.mutate(whole);

  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (composing(event) || event.ctrlKey || event.altKey || event.metaKey) return;
      const at = Number(event.key) - 1;
      if (!Number.isInteger(at) || at < 0 || at >= ask.options.length) return;
      const here = card.current?.contains(document.activeElement) === true;
      if (isTyped(event.target, here)) return;
      event.preventDefault();
      setChosen(at);
      // Enter sends from the option, and from the field for own words.
      if (!here || !(event.target instanceof HTMLTextAreaElement)) {
        card.current?.querySelectorAll<HTMLElement>("[type=radio]")[at]?.focus();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [ask.options.length]);

  const refusal = answer.error === null ? null : asRefusal(answer.error);
  return (
    <section ref={card} className={classes.ask} aria-labelledby={id}>
      <div className={classes.options}>
        <h2 id={id} className={classes.question}>
          {ask.question}
        </h2>
        <div role="radiogroup" aria-labelledby={id}>
          {ask.options.map((text, at) => (
            <label key={text} className={classes.option} data-chosen={chosen === at || undefined}>
              <input
                type="radio"
                name={id}
                checked={chosen === at}
                onChange={() => setChosen(at)}
                onClick={() => chosen === at && setChosen(null)}
                onKeyDown={(event) => {
                  if (event.key === "Enter" && !composing(event)) send();
                }}
              />
              <span className={classes.digit} aria-hidden="true">
                {at + 1}
              </span>
              <span>{text}</span>
            </label>
          ))}
        </div>
      </div>
      <div className={classes.answer}>
        <Textarea
          className={classes.own}
          autosize
          minRows={1}
          maxRows={4}
          aria-label={t("stage.ownWords")}
          placeholder={t("stage.ownWords")}
          value={own}
          onChange={(event) => {
            setOwn(event.currentTarget.value);
            keep(place, event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (composing(event) || event.key !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            send();
          }}
        />
        <Button size="md" loading={stopping.isPending} onClick={() => stopping.mutate()}>
          {t("stage.stop")}
        </Button>
        <Button
          size="md"
          variant="filled"
          disabled={whole === ""}
          loading={answer.isPending}
          onClick={send}
        >
          {t("stage.choose")}
        </Button>
      </div>
      {refusal !== null && (
        <ErrorNote
          error={refusal}
          text={
            refusal.code === "already_answered"
              ? t("stage.answeredElsewhere", { answer: String(refusal.facts.answer ?? "") })
              : undefined
          }
        />
      )}
      {stopping.error !== null && <ErrorNote error={stopping.error} />}
    </section>
  );
}

/** Whether a digit is a part of what is written: not in the card's own field while that is empty. */
function isTyped(target: EventTarget | null, here: boolean): boolean {
  if (target instanceof HTMLTextAreaElement) return !here || target.value !== "";
  if (target instanceof HTMLInputElement) return !["radio", "checkbox"].includes(target.type);
  return target instanceof HTMLElement && target.isContentEditable;
}
