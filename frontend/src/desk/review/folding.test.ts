import { describe, expect, it } from "vitest";
import { stretches } from "./folding";

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
