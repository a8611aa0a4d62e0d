/** The editor of one open chapter: prose in the reader's own face and column, saved by itself. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { nonce } from "@/app/nonce";
import { tongueOf } from "@/reading/tongue";
import { type Reviewed, reviewing } from "../review/field";
import { folding } from "../review/folding";
import { tinting } from "../review/tint";
import type { OpenChapter } from "./openchapter";
import { pictures } from "./pictures";
import classes from "./Text.module.css";

interface EditorProps {
  chapter: OpenChapter;
  language: string;
  /** The editor once it stands, `null` when it goes. */
  onView: (view: EditorView | null) => void;
  onReview: (now: Reviewed) => void;
}

export function Editor({ chapter, language, onView, onReview }: EditorProps) {
  const { t } = useTranslation();
  const home = useRef<HTMLDivElement>(null);
  const label = t("desk.textOf", { name: chapter.name });
  const spoken = { deleted: t("common.deleted"), inserted: t("common.inserted") };
  const folded = (n: number) => t("desk.folded", { n });
  const picture = t("desk.picture");
  const given = { label, spoken, folded, picture, onView, onReview };
  const latest = useRef(given);
  latest.current = given;

  useEffect(() => {
    const parent = home.current;
    if (parent === null) return;
    const given = latest.current;
    const view = new EditorView({
      parent,
      state: EditorState.create({
        doc: chapter.text,
        extensions: [
          reviewing(given.spoken, (now) => latest.current.onReview(now)),
          folding(given.folded),
          tinting,
          pictures(given.picture),
          ...basics(given.label),
          // Whoever turns to the discussion speaks of the text as it stands.
          EditorView.domEventHandlers({ blur: () => void chapter.save() }),
          EditorView.updateListener.of((update) => {
            for (const one of update.transactions) chapter.heard(one);
          }),
        ],
      }),
    });
    const detach = chapter.attach(view);
    const leave = () => document.visibilityState === "hidden" && void chapter.save();
    document.addEventListener("visibilitychange", leave);
    given.onView(view);
    return () => {
      given.onView(null);
      document.removeEventListener("visibilitychange", leave);
      detach();
      view.destroy();
    };
  }, [chapter]);

  const lang = tongueOf(chapter.text) ?? language;
  return <div ref={home} className={`prose ${classes.editor}`} lang={lang} />;
}

function basics(label: string): Extension[] {
  return [
    EditorState.lineSeparator.of("\n"), // any other character stays what it is
    history(),
    EditorView.lineWrapping,
    EditorView.cspNonce.of(nonce),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    LOOK,
  ];
}

const LOOK = EditorView.theme({
  "&": { height: "100%", color: "inherit", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "inherit",
    fontSize: "inherit",
    lineHeight: "inherit",
    overflowY: "auto",
    overscrollBehavior: "contain",
  },
  ".cm-content": {
    width: "100%",
    maxWidth: "var(--prose-width)",
    margin: "0 auto",
    padding: "16px 0 40vh",
    caretColor: "var(--narration)",
  },
  ".cm-line": { padding: "0" },
});
