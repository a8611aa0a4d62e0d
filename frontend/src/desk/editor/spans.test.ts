import { ChangeSet } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { between, both, changesOf, compared, docOf, merged } from "./spans";

const said = (text: string, changes: ChangeSet) => changes.apply(docOf(text)).toString();

describe("differences as changes", () => {
  it("lead from the one text to the other, to the letter", () => {
    for (const [a, b] of [
      ["", "雨停了。"],
      ["雨停了。", "雨还没停。"],
      ["一\r\n二\r\n", "一\r\n三\r\n二\r\n"],
      ["aaa", "aa"],
      ["👨‍👩‍👧来", "👨‍👩‍👦来"],
      ["同", "同"],
    ] as const) {
      expect(said(a, between(a, b))).toBe(b);
    }
  });

  it("do not cut a character in half", () => {
    const { spans } = compared("😀", "😁");
    expect(said("😀", between("😀", "😁"))).toBe("😁");
    expect(spans.find((one) => one.kind === "inserted")?.to).toEqual([0, 2]);
  });

  it("take the server's spans", () => {
    const spans = [
      { kind: "kept", from: [0, 1], to: [0, 1] },
      { kind: "deleted", from: [1, 2], to: [1, 1] },
      { kind: "inserted", from: [2, 2], to: [1, 3] },
    ] as const;
    expect(said("他走", changesOf(spans, 2, "他跑了"))).toBe("他跑了");
  });

  it("are shown in whole paragraphs", () => {
    const { spans } = compared("一。\n二。\n三。", "一。\n两。\n三。");
    expect(spans.map((one) => [one.kind, one.from])).toEqual([
      ["kept", [0, 3]],
      ["deleted", [3, 5]],
      ["inserted", [5, 5]],
      ["kept", [5, 8]],
    ]);
  });

  it("can both be kept", () => {
    expect(both("一。\n二。\n三。", "一。\n两。\n三。")).toBe("一。\n二。\n\n两。\n三。");
    expect(both("一。\n三。", "一。\n二。\n三。")).toBe("一。\n二。\n三。");
    expect(both("一。", "一。")).toBe("一。");
  });
});

describe("two people's changes", () => {
  const text = "第一段。\n\n第二段。";
  const change = (from: number, to: number, insert: string) =>
    ChangeSet.of({ from, to, insert }, text.length);

  it("are put together where they lie apart", () => {
    const mine = change(1, 2, "壹");
    const joined = merged(mine, change(7, 8, "贰"));
    if (joined === null) throw new Error("they do not touch");
    const document = said(said(text, mine), joined.toDocument);
    expect(document).toBe("第壹段。\n\n第贰段。");
    expect(said("第一段。\n\n第贰段。", joined.unsaved)).toBe(document);
  });

  it("are a conflict where they touch", () => {
    expect(merged(change(1, 2, "壹"), change(0, 3, "首章"))).toBeNull();
    expect(merged(change(4, 4, "甲"), change(4, 4, "乙"))).toBeNull();
  });
});
