/** The places of pictures in a chapter, shown as the pictures while the caret is elsewhere. Every byte of the
 * text stays: whoever puts the caret there sees the line as it is written. */
import { type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from "@codemirror/view";
import { type Marker, markerIn } from "@/images/marker";

class Picture extends WidgetType {
  constructor(
    readonly marker: Marker,
    readonly said: string,
  ) {
    super();
  }

  override eq({ marker, said }: Picture): boolean {
    return (
      marker.id === this.marker.id && marker.caption === this.marker.caption && said === this.said
    );
  }

  toDOM(view: EditorView): HTMLElement {
    const place = document.createElement("span");
    place.className = "picture";
    const words = document.createElement("span");
    words.textContent = [this.said, this.marker.caption].filter(Boolean).join(" · ");
    const image = document.createElement("img");
    image.alt = "";
    image.decoding = "async";
    image.addEventListener("load", () => view.requestMeasure());
    image.addEventListener("error", () => {
      image.remove(); // one that is not drawn yet or gone: its words stand for it
      view.requestMeasure();
    });
    image.src = `/api/images/${this.marker.id}/picture`;
    place.append(image, words);
    return place;
  }

  override ignoreEvent(): boolean {
    return false; // a click puts the caret into the line, which is then seen as it is
  }
}

/** `said` is the word for a picture. */
export function pictures(said: string): Extension {
  return ViewPlugin.fromClass(
    class {
      places: DecorationSet;

      constructor(view: EditorView) {
        this.places = drawn(view, said);
      }

      update(update: ViewUpdate): void {
        const { docChanged, viewportChanged, selectionSet, focusChanged } = update;
        if (docChanged || viewportChanged || selectionSet || focusChanged)
          this.places = drawn(update.view, said);
      }
    },
    { decorations: (plugin) => plugin.places },
  );
}

function drawn(view: EditorView, said: string): DecorationSet {
  const places = new RangeSetBuilder<Decoration>();
  const { doc, selection } = view.state;
  const isTouched = (from: number, to: number) =>
    view.hasFocus && selection.ranges.some((one) => one.from <= to && one.to >= from);
  let at = -1;
  for (const range of view.visibleRanges) {
    for (let line = doc.lineAt(range.from); ; line = doc.line(line.number + 1)) {
      const marker = line.from > at && !isTouched(line.from, line.to) ? markerIn(line.text) : null;
      if (marker !== null) {
        const widget = new Picture(marker, said);
        places.add(line.from, line.to, Decoration.replace({ widget }));
      }
      at = Math.max(at, line.from);
      if (line.to >= range.to || line.number === doc.lines) break;
    }
  }
  return places.finish();
}
