/** The review of one chapter: what a turn changed in it, set into the editor, and what can be done with each
 * change. */
import { Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { keys } from "@/api/keys";
import { compareObjects } from "../chapters/files";
import type { OpenChapter } from "../editor/openchapter";
import { changesOf, docOf } from "../editor/spans";
import { type Change, changesBetween, mapped } from "./changes";
import { reviewField, setCurrent, setDrawn, setReview, settle } from "./field";
import { foldField, setFolded } from "./folding";
import type { FileChange } from "./made";
import { keepSeen, seenOf } from "./seen";

interface Wanted {
  chapter: OpenChapter;
  view: EditorView | null;
  /** What a turn did to this chapter; `null`: nothing. */
  change: FileChange | null;
  turn: string | null;
  /** Whether the editor has what the server has. */
  current: boolean;
}

/** The two texts of a change of a chapter that was there before, and how they differ. */
export function useFileDiff(project: string, change: FileChange | null) {
  const before = change?.before ?? null;
  const after = change?.after ?? null;
  return useQuery({
    queryKey: [...keys.project(project), "objects", before, after],
    queryFn: () => compareObjects(project, before ?? "", after ?? ""),
    enabled: before !== null && after !== null && before !== after,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Set the changes of a turn into the editor. */
export function useReview({ chapter, view, change, turn, current }: Wanted): void {
  const diff = useFileDiff(chapter.files.project, change);
  const hash = chapter.hash.use();
  const set = useRef("");
  useEffect(() => {
    const known = diff.data;
    if (view === null) {
      set.current = "";
      return;
    }
    const after = change?.after ?? null;
    // From the text that the turn left the changes move along by themselves. From another they are found
    // anew with each state: the text of the turn may still be on its way.
    const whole = `${turn}.${change?.before}.${after}`;
    const key = hash === after ? whole : `${whole}.${hash}`;
    if (set.current === whole || set.current === key) return;
    if (turn === null || after === null || change?.before === null || known === undefined) {
      if (change === null && view.state.field(reviewField).changes.length > 0)
        view.dispatch({ effects: setReview.of([]) });
      return;
    }
    if (!current) return;
    let stale = false;
    const changes = changesBetween(known.spans, known.from.text, known.to.text);
    void placed(chapter, changes, after, known.to.text.length).then((found) => {
      if (stale || chapter.hash.get() !== hash) return;
      set.current = key;
      const seen = seenOf(chapter.files.project, turn, chapter.name);
      const open = found.filter((one) => !seen.has(one.key));
      view.dispatch({ effects: setReview.of(open) });
    });
    return () => {
      stale = true;
    };
  }, [chapter, view, change, turn, current, hash, diff.data]);
}

/** The changes where they stand in the document, which may have been written on since. */
async function placed(
  chapter: OpenChapter,
  changes: readonly Change[],
  after: string,
  length: number,
): Promise<readonly Change[]> {
  let found = changes;
  const hash = chapter.hash.get();
  if (hash !== after) {
    const { spans, to } = await chapter.files.compare(after, hash);
    found = mapped(found, changesOf(spans, length, to.text));
  }
  return mapped(found, chapter.unsaved);
}

/** What can be done with changes under review. */
export interface ReviewActs {
  goTo: (at: number, focus: boolean) => void;
  /** By their numbers: where they stand is the editor's to know. */
  keep: (which: readonly number[]) => void;
  putBack: (which: readonly number[]) => void;
  draw: (shown: boolean) => void;
  /** Fold what is unchanged, or unfold it. */
  fold: () => void;
  /** Whether exactly the present change is selected. */
  selected: () => boolean;
}

export function actsOn(view: EditorView, chapter: OpenChapter, turn: string): ReviewActs {
  const those = (which: readonly number[]) =>
    which.flatMap((at) => view.state.field(reviewField).changes[at] ?? []);
  return {
    goTo(at, focus) {
      const one = view.state.field(reviewField).changes[at];
      if (one === undefined) return;
      view.dispatch({
        selection: { anchor: one.from, head: one.to },
        effects: [setCurrent.of(at), EditorView.scrollIntoView(one.from, { y: "center" })],
      });
      if (focus) view.focus();
    },
    keep(which) {
      const changes = those(which);
      const {
        files: { project },
        name,
      } = chapter;
      keepSeen(
        project,
        turn,
        name,
        changes.map((one) => one.key),
      );
      view.dispatch({
        effects: settle.of(changes),
        annotations: Transaction.addToHistory.of(false),
      });
    },
    putBack(which) {
      const changes = those(which);
      view.dispatch({
        changes: changes.map(({ from, to, old }) => ({ from, to, insert: docOf(old) })),
        effects: settle.of(changes),
        userEvent: "input.putback",
      });
      void chapter.save();
    },
    selected() {
      const { changes, current } = view.state.field(reviewField);
      const { from, to } = view.state.selection.main;
      return changes[current]?.from === from && changes[current]?.to === to;
    },
    fold: () => view.dispatch({ effects: setFolded.of(!view.state.field(foldField)) }),
    draw: (shown) => view.dispatch({ effects: setDrawn.of(shown) }),
  };
}
