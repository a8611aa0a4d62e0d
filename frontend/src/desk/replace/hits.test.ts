import { describe, expect, it } from "vitest";
import { BLANK, choosing, chosenIn, type FoundFile, isChosen, NONE, wish, wordsFrom } from "./hits";

const first: FoundFile = {
  name: "001-雨夜.md",
  hash: "a",
  count: 5,
  places: [{ start: 2 }, { start: 9 }],
};
const second: FoundFile = { name: "002.md", hash: "b", count: 1, places: [{ start: 0 }] };

describe("the places to replace", () => {
  it("are all of them until one is taken out, and again when it is put back", () => {
    const left = choosing(NONE, first, [9], false);
    expect([isChosen(left, first, 2), isChosen(left, first, 9)]).toEqual([true, false]);
    expect(chosenIn(left, first)).toBe(4);
    expect(chosenIn(choosing(left, first, [9], true), first)).toBe(5);
  });

  it("are asked for with the hashes that were seen; an emptied chapter is not named", () => {
    let left = choosing(NONE, first, [9], false);
    left = choosing(left, second, [0], false);
    expect(wish(left, [first, second])).toEqual({
      files: { "001-雨夜.md": "a" },
      left_out: { "001-雨夜.md": [9] },
    });
    expect(wish(NONE, [second])).toEqual({ files: { "002.md": "b" }, left_out: {} });
  });

  it("begin anew in a chapter that has changed", () => {
    const left = choosing(NONE, second, [0], false);
    expect(chosenIn(left, { ...second, hash: "c" })).toBe(1);
  });
});

describe("kept words", () => {
  it("come back as they were, and anything else is blank", () => {
    const words = { ...BLANK, find: "旧伞", replace: "新伞", pattern: true };
    expect(wordsFrom(JSON.stringify(words))).toEqual(words);
    for (const other of ["", "null", "[1]", '{"find": 3}', "{"]) {
      expect(wordsFrom(other)).toEqual(BLANK);
    }
  });
});
