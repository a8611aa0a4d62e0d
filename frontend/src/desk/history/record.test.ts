import { describe, expect, it } from "vitest";
import type { Changed, Checkpoint } from "./checkpoints";
import { labelOf, makerOf, nameOf, touched } from "./record";

const NOTHING: Changed = { added: [], modified: [], renamed: [], removed: [] };

function checkpoint(more: Partial<Checkpoint>): Checkpoint {
  return {
    id: "c",
    number: 3,
    time: "2020-01-02T03:04:05Z",
    author: "user",
    turn: null,
    message: "",
    aborted: false,
    restored_from: null,
    cause: "saved",
    name: "",
    files: {},
    changed: NOTHING,
    ...more,
  };
}

describe("a change", () => {
  it("is told chapter by chapter, in the order of their names", () => {
    const changed: Changed = {
      added: ["004-桥.md"],
      modified: ["001-雨夜.md"],
      renamed: [["009-灯.md", "003-灯.md"]],
      removed: ["002-旧伞.md"],
    };
    expect(touched(changed).map((one) => [one.kind, nameOf(one)])).toEqual([
      ["modified", "001-雨夜.md"],
      ["removed", "002-旧伞.md"],
      ["renamed", "003-灯.md"],
      ["added", "004-桥.md"],
    ]);
    expect(touched(NOTHING)).toEqual([]);
  });
});

describe("a checkpoint", () => {
  it("says who made it: the model, the author, another editor", () => {
    expect(makerOf(checkpoint({ author: "agent", cause: "turn" }))).toBe("model");
    expect(makerOf(checkpoint({ cause: "found" }))).toBe("elsewhere");
    expect(makerOf(checkpoint({ cause: null }))).toBe("you");
  });

  it("goes by its name, else by the words that asked for it", () => {
    expect(labelOf(checkpoint({ name: "初稿", message: "写第一章。" }))).toMatch(
      /^3 · 初稿 · .*2020/u,
    );
    expect(labelOf(checkpoint({ message: "雨下三天。\n再冷些。" }))).toMatch(/^3 · 雨下三天。 · /u);
  });
});
