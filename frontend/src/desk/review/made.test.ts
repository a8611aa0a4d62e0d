import { describe, expect, it } from "vitest";
import type { ToolView } from "@/api/turnview";
import { filesOf } from "./made";

const made = (...all: unknown[]) =>
  filesOf({
    tools: all.map(
      (files, index): ToolView => ({
        call: 0,
        index,
        id: "",
        name: "edit",
        arguments: "",
        ok: true,
        result: "",
        effect: { files },
      }),
    ),
  });

const move = (was: string, now: string, hash: string) => ({
  [was]: [hash, null],
  [now]: [null, hash],
});

describe("the files of a turn", () => {
  it("are what its edits come to", () => {
    expect(
      made(
        { "001.md": ["a", "b"] },
        { "001.md": ["b", "c"], "002.md": [null, "d"] },
        { "003.md": ["e", "f"] },
        { "003.md": ["f", "e"] },
        { "002.md": ["d", "g"] },
        null,
      ),
    ).toEqual([
      { name: "001.md", was: null, before: "a", after: "c" },
      { name: "002.md", was: null, before: null, after: "g" },
    ]);
  });

  it("tell a chapter that was renamed as one, whatever is written in it before or after", () => {
    const renamed = { name: "005-雨.md", was: "001-夜.md", before: "a", after: "c" };
    expect(made(move("001-夜.md", "005-雨.md", "a"))).toEqual([{ ...renamed, after: "a" }]);
    expect(made(move("001-夜.md", "005-雨.md", "a"), { "005-雨.md": ["a", "c"] })).toEqual([
      renamed,
    ]);
    expect(made({ "001-夜.md": ["a", "c"] }, move("001-夜.md", "005-雨.md", "c"))).toEqual([
      renamed,
    ]);
    expect(
      made(move("001-夜.md", "x.md", "a"), { "x.md": ["a", "c"] }, move("x.md", "005-雨.md", "c")),
    ).toEqual([renamed]);
    expect(made({ "005-雨.md": [null, "a"] }, { "001-夜.md": ["a", null] })).toEqual([
      { ...renamed, after: "a" },
    ]);
  });

  it("say nothing of a name that was given back", () => {
    const there = move("001.md", "002.md", "a");
    expect(made(there, move("002.md", "001.md", "a"))).toEqual([]);
    expect(made(there, { "002.md": ["a", "b"] }, move("002.md", "001.md", "b"))).toEqual([
      { name: "001.md", was: null, before: "a", after: "b" },
    ]);
  });

  it("know no rename of a chapter that is new, swapped, gone, or written anew in its place", () => {
    expect(made({ "001.md": [null, "a"] }, move("001.md", "002.md", "a"))).toEqual([
      { name: "002.md", was: null, before: null, after: "a" },
    ]);
    const swap = [
      move("001.md", "x.md", "a"),
      move("002.md", "001.md", "b"),
      move("x.md", "002.md", "a"),
    ];
    expect(made(...swap)).toEqual([
      { name: "001.md", was: null, before: "a", after: "b" },
      { name: "002.md", was: null, before: "b", after: "a" },
    ]);
    expect(made(move("001.md", "002.md", "a"), { "002.md": ["a", null] })).toEqual([
      { name: "001.md", was: null, before: "a", after: null },
    ]);
    expect(made(move("001.md", "002.md", "a"), { "001.md": [null, "n"] })).toEqual([
      { name: "001.md", was: null, before: "a", after: "n" },
      { name: "002.md", was: null, before: null, after: "a" },
    ]);
  });
});
