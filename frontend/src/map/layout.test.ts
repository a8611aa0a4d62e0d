import { expect, test } from "vitest";
import { type MapItem, placed } from "./layout";

function item(id: string, after: string | null, on_path = false): MapItem {
  const shared = { id, after, number: 1, variants: 0, on_path, words: "" };
  return { ...shared, kind: "run", first: id, turns: 1 };
}

test("a branch stands one lane further in, before the way goes on", () => {
  const rows = placed([
    item("a", null, true),
    item("b", "a"),
    item("c", "a", true),
    item("d", "b"),
    item("e", "c", true),
  ]);
  expect(rows.map((row) => [row.item.id, row.lane, row.from])).toEqual([
    ["a", 0, null],
    ["b", 1, 0],
    ["d", 1, 1],
    ["c", 0, 0],
    ["e", 0, 3],
  ]);
});

test("a way of ten thousand points is one lane", () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `n${at}`);
  const rows = placed(ids.map((id, at) => item(id, at === 0 ? null : `n${at - 1}`)));
  expect(rows).toHaveLength(10_000);
  expect(Math.max(...rows.map((row) => row.lane))).toBe(0);
});
