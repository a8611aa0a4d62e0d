/** Long stretches without a change, folded while changes are looked at; apart from the changes, which are
 * there whether anything is folded or not. */
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { reviewField } from "./field";

export const setFolded = StateEffect.define<boolean>();

export const foldField = StateField.define<boolean>({
  create: () => false,
  update(before, transaction) {
    let now = before;
    for (const effect of transaction.effects) if (effect.is(setFolded)) now = effect.value;
    return now && transaction.state.field(reviewField).changes.length > 0;
  },
});

/** Lines around a change that stay. */
const AROUND = 2;
/** Fewer lines are not worth a fold. */
const FEWEST = 4;

/** The lines (from 1, both ends included) of what lies between the lines that changed. */
export function stretches(
  changed: readonly (readonly [number, number])[],
  lines: number,
): [number, number][] {
  const found: [number, number][] = [];
  let from = 1;
  for (const [first, last] of [...changed, [lines + AROUND + 1, lines] as const]) {
    const to = Math.min(lines, first - AROUND - 1);
    if (to - from + 1 >= FEWEST) found.push([from, to]);
    from = Math.max(from, last + AROUND + 1);
  }
  return found;
}

class Fold extends WidgetType {
  constructor(readonly words: string) {
    super();
  }

  override eq(other: Fold): boolean {
    return other.words === this.words;
  }

  toDOM(view: EditorView): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "fold";
    button.textContent = this.words;
    button.addEventListener("click", () => view.dispatch({ effects: setFolded.of(false) }));
    return button;
  }
}

/** `said` names a fold of so many lines. */
export function folding(said: (lines: number) => string): Extension {
  return [
    foldField,
    EditorView.decorations.compute([foldField, reviewField, "doc"], (state) =>
      state.field(foldField) ? folds(state, said) : Decoration.none,
    ),
  ];
}

function folds(state: EditorState, said: (lines: number) => string): DecorationSet {
  const { doc } = state;
  const changed = state
    .field(reviewField)
    .changes.map(({ from, to }) => [doc.lineAt(from).number, doc.lineAt(to).number] as const);
  return Decoration.set(
    stretches(changed, doc.lines).map(([first, last]) =>
      Decoration.replace({ widget: new Fold(said(last - first + 1)), block: true }).range(
        doc.line(first).from,
        doc.line(last).to,
      ),
    ),
  );
}
