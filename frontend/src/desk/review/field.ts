/** The changes under review as the editor has them: they move with the text, are drawn in it, and come back
 * when a put back is undone. */
import { invertedEffects } from "@codemirror/commands";
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { type Change, mapped, moved } from "./changes";

export interface Reviewed {
  changes: readonly Change[];
  /** The one that the author looks at. */
  current: number;
  /** Whether they are drawn. */
  drawn: boolean;
}

export const NOTHING: Reviewed = { changes: [], current: 0, drawn: true };

export const setReview = StateEffect.define<readonly Change[]>();
export const setCurrent = StateEffect.define<number>();
export const setDrawn = StateEffect.define<boolean>();
/** Changes that are settled. */
export const settle = StateEffect.define<readonly Change[]>();
const unsettle = StateEffect.define<readonly Change[]>({
  map: (changes, by) => changes.map((one) => moved(one, by)),
});
export const reviewField = StateField.define<Reviewed>({
  create: () => NOTHING,
  update(before, transaction) {
    let now = before;
    if (transaction.docChanged && now.changes.length > 0) {
      now = { ...now, changes: after(now, transaction.changes, transaction.effects) };
    }
    for (const effect of transaction.effects) {
      if (effect.is(setReview)) now = { ...now, changes: effect.value, current: 0 };
      else if (effect.is(setCurrent)) now = { ...now, current: effect.value };
      else if (effect.is(setDrawn)) now = { ...now, drawn: effect.value };
      else if (effect.is(settle)) now = { ...now, changes: without(now.changes, effect.value) };
      else if (effect.is(unsettle)) now = { ...now, changes: sorted(now.changes, effect.value) };
    }
    const last = Math.max(0, now.changes.length - 1);
    return now.current > last ? { ...now, current: last } : now;
  },
});

function after(
  now: Reviewed,
  by: ChangeDesc,
  effects: readonly StateEffect<unknown>[],
): readonly Change[] {
  const settled = effects.flatMap((one) => (one.is(settle) ? one.value : []));
  const keys = new Set(settled.map((one) => one.key));
  return mapped(
    now.changes.filter((one) => !keys.has(one.key)),
    by,
  );
}

function without(all: readonly Change[], gone: readonly Change[]): readonly Change[] {
  const keys = new Set(gone.map((one) => one.key));
  return all.filter((one) => !keys.has(one.key));
}

function sorted(all: readonly Change[], back: readonly Change[]): readonly Change[] {
  return [...without(all, back), ...back].sort((a, b) => a.from - b.from || a.to - b.to);
}

/** Undoing a put back brings its change to the review again. */
const undoing = invertedEffects.of((transaction) =>
  transaction.effects.flatMap((effect) => {
    if (effect.is(settle)) return [unsettle.of(effect.value)];
    if (effect.is(unsettle)) return [settle.of(effect.value)];
    return [];
  }),
);

/** Words that stand no longer in the text, or a word for those who listen. */
class Aside extends WidgetType {
  constructor(
    readonly spoken: string,
    readonly gone: string,
  ) {
    super();
  }

  override eq(other: Aside): boolean {
    return other.gone === this.gone && other.spoken === this.spoken;
  }

  toDOM(): HTMLElement {
    const hidden = document.createElement("span");
    hidden.className = "only-spoken";
    hidden.textContent = this.spoken;
    if (this.gone === "") return hidden;
    const gone = document.createElement("del");
    gone.append(hidden, this.gone);
    return gone;
  }
}

interface Spoken {
  deleted: string;
  inserted: string;
}

/** `spoken` are the words before what was deleted and what was inserted, for those who listen. `told` hears
 * of each change of the review. */
export function reviewing(spoken: Spoken, told: (now: Reviewed) => void): Extension {
  return [
    reviewField,
    undoing,
    EditorView.decorations.compute([reviewField], (state) => drawn(state, spoken)),
    EditorView.updateListener.of((update) => {
      const now = update.state.field(reviewField);
      if (!alike(now, update.startState.field(reviewField))) told(now);
    }),
  ];
}

/** Whether two reviews differ by the places of their changes alone, as typing makes them. */
function alike(one: Reviewed, other: Reviewed): boolean {
  return (
    one === other ||
    (one.current === other.current &&
      one.drawn === other.drawn &&
      one.changes.length === other.changes.length &&
      one.changes.every((change, at) => change.key === other.changes[at]?.key))
  );
}

function drawn(state: EditorState, spoken: Spoken): DecorationSet {
  const { changes, current, drawn: shown } = state.field(reviewField);
  if (!shown) return Decoration.none;
  const marks = changes.flatMap((one, at) => {
    const came = Decoration.mark({
      tagName: "ins",
      class: at === current ? "current" : "",
    });
    return one.parts.flatMap(({ from, to, gone }) => {
      const aside = new Aside(gone === "" ? spoken.inserted : spoken.deleted, gone);
      const widget = Decoration.widget({ widget: aside, side: -1 }).range(from);
      return to > from ? [widget, came.range(from, to)] : [widget];
    });
  });
  return Decoration.set(marks, true);
}
