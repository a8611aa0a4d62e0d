import { ChangeSet } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { stretches } from "./folding";
import { carried } from "./tint";

describe("stretches without a change", () => {
  it("are folded but for the lines around", () => {
    expect(stretches([[10, 11]], 30)).toEqual([
      [1, 7],
      [14, 30],
    ]);
  });

  it("are left where they are short, and never overlap", () => {
    expect(
      stretches(
        [
          [2, 2],
          [9, 12],
          [11, 11],
        ],
        14,
      ),
    ).toEqual([]);
    expect(stretches([[1, 1]], 7)).toEqual([[4, 7]]);
    expect(stretches([], 9)).toEqual([[1, 9]]);
  });
});

describe("who wrote what", () => {
  it("moves with the text, and claims nothing that was typed since", () => {
    const told = [
      { start: 0, end: 2, author: "user" },
      { start: 2, end: 5, author: "agent" },
    ] as const;
    const typed = ChangeSet.of(
      [
        { from: 0, insert: "新" },
        { from: 3, to: 5 },
      ],
      5,
    );
    expect(carried(told, typed)).toEqual([
      { start: 1, end: 3, author: "user" },
      { start: 3, end: 4, author: "agent" },
    ]);
  });
});
