import { describe, expect, it } from "vitest";
import { BLANK, changes, formOf, GROUPS, isSet } from "./entryform";

const ENTRY = {
  ...BLANK,
  uid: 3,
  title: "旧伞",
  keys: ["旧伞", "/伞(骨|柄)/i", "a, b"],
  whole_words: false,
  scan_depth: 0,
  filter: { isExclude: true, names: ["沈砚"], tags: [] },
};

describe("an entry in a form", () => {
  it("has every field that the server tells, once", () => {
    const names = GROUPS.flatMap((group) => Object.keys(group.fields));
    expect(new Set(names).size).toBe(names.length);
    const told = Object.keys(BLANK).filter((name) => !["uid", "resident", "filter"].includes(name));
    expect(names.filter((name) => !name.startsWith("filter_")).sort()).toEqual(told.sort());
  });

  it("is unchanged until something is typed", () => {
    expect(changes(ENTRY, formOf(ENTRY))).toEqual({});
  });

  it("names only what was changed, in the types of the API", () => {
    const form = { ...formOf(ENTRY), keys: "旧伞\n  夜市 \n\n", whole_words: "", order: "7.5" };
    expect(changes(ENTRY, form)).toEqual({ keys: ["旧伞", "夜市"], whole_words: null, order: 7.5 });
  });

  it("tells an empty number from nought", () => {
    expect(changes(ENTRY, { ...formOf(ENTRY), scan_depth: "" })).toEqual({ scan_depth: null });
    expect(changes(BLANK, { ...formOf(BLANK), scan_depth: "0" })).toEqual({ scan_depth: 0 });
  });

  it("writes the filter whole", () => {
    const form = { ...formOf(ENTRY), filter_tags: "night" };
    const filter = { isExclude: true, names: ["沈砚"], tags: ["night"] };
    expect(changes(ENTRY, form)).toEqual({ filter });
  });

  it("says which groups hold something", () => {
    const set = GROUPS.filter((group) => isSet(group, formOf(ENTRY))).map((group) => group.name);
    expect(set).toEqual(["what", "match", "scan", "who"]);
  });
});
