import { ChangeSet } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import type { Span } from "../editor/spans";
import { changesBetween, mapped, paragraphOf } from "./changes";

/** Spans written down: `[gone]`, `{came}`, the rest is kept. */
function written(marked: string): { spans: Span[]; old: string; now: string } {
  let [old, now] = ["", ""];
  const spans: Span[] = [];
  for (const piece of marked.match(/\[[^\]]*\]|\{[^}]*\}|[^[{]+/g) ?? []) {
    const kind = piece.startsWith("[") ? "deleted" : piece.startsWith("{") ? "inserted" : "kept";
    const words = kind === "kept" ? piece : piece.slice(1, -1);
    const [from, to] = [old.length, now.length];
    if (kind !== "inserted") old += words;
    if (kind !== "deleted") now += words;
    spans.push({ kind, from: [from, old.length], to: [to, now.length] });
  }
  return { spans, old, now };
}

const of = (marked: string) => {
  const { spans, old, now } = written(marked);
  return { old, now, changes: changesBetween(spans, old, now) };
};

describe("the changes of a text", () => {
  it("are told sentence by sentence", () => {
    const { now, changes } = of("他[走]{跑}了，手[冷]{凉}。雨[停]{大}了。\n\n船来{得早}了。");
    expect(changes.map((one) => [now.slice(one.from, one.to), one.old, one.joined])).toEqual([
      ["跑了，手凉", "走了，手冷", false],
      ["大", "停", true],
      ["得早", "", false],
    ]);
  });

  it("know English sentences, but not a point within a number", () => {
    const { changes } = of("It cost [3]{4}.5 [coins]{marks}. He [paid]{left}.");
    expect(changes.map((one) => one.old)).toEqual(["3.5 coins", "paid"]);
  });

  it("give every inserted paragraph its own change", () => {
    const { now, changes } = of("一。\n\n{二。\n\n三。\n\n}四。");
    expect(changes.map((one) => now.slice(one.from, one.to))).toEqual(["二。\n\n", "三。\n\n"]);
    expect(changes.map((one) => one.joined)).toEqual([false, false]);
  });

  it("come to the old text when all are put back, from the last to the first", () => {
    for (const marked of [
      "他[走]{跑}了。[雨停了。]船{又}来了。{完。}",
      "{一。\n\n二。}",
      "[一。\n\n二。\n]三",
      "a [b] c. {d} e.",
    ]) {
      const { old, now, changes } = of(marked);
      const text = changes.reduceRight(
        (left, one) => left.slice(0, one.from) + one.old + left.slice(one.to),
        now,
      );
      expect(text).toBe(old);
    }
  });

  it("move with the text, and go where the author wrote over them", () => {
    const { now, changes } = of("他[走]{跑}了。雨[停]{大}了。");
    const typed = ChangeSet.of({ from: 0, insert: "后来" }, now.length);
    expect(mapped(changes, typed).map((one) => one.from)).toEqual(changes.map((c) => c.from + 2));
    const over = ChangeSet.of({ from: 0, to: 3, insert: "他" }, now.length);
    expect(mapped(changes, over).map((one) => one.old)).toEqual(["停"]);
  });

  it("are together in a paragraph", () => {
    const { changes } = of("[a]{b}。[c]{d}。\n[e]{f}。[g]{h}。");
    expect(paragraphOf(changes, 0)).toEqual([0, 1]);
    expect(paragraphOf(changes, 3)).toEqual([2, 3]);
  });
});
