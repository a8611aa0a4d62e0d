/** Who wrote what, as a tint under the model's words; apart from the review, which is of one turn alone. */
import { type ChangeDesc, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

export interface Stretch {
  start: number;
  end: number;
  author: "agent" | "user";
}

/** Stretches that cover the document; none takes the tint away. */
export const setTint = StateEffect.define<readonly Stretch[]>();

const MODELS = Decoration.mark({ class: "models" });

const tintField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    let now = before.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setTint)) now = marks(effect.value);
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const tinting: Extension = tintField;

/** The stretches after a change of the text: what was typed since is its author's own. */
export function carried(stretches: readonly Stretch[], by: ChangeDesc): Stretch[] {
  return stretches
    .map(({ start, end, author }) => ({
      start: by.mapPos(start, 1),
      end: by.mapPos(end, -1),
      author,
    }))
    .filter(({ start, end }) => start < end);
}

function marks(stretches: readonly Stretch[]): DecorationSet {
  return Decoration.set(
    stretches
      .filter((one) => one.author === "agent")
      .map((one) => MODELS.range(one.start, one.end)),
  );
}
