import { describe, expect, it } from "vitest";
import { setIn, unsetIn } from "./toml";

const TEXT = `# 我的
name = "mine"

[performer]
kind = "stage"  # how

[memory]
sources = [
  "diary",
  "tables",
]

[lore]
`;

describe("the text of a scenario", () => {
  it("has a field set in place of its line, and keeps everything else", () => {
    const now = setIn(TEXT, "performer.kind", "actor");
    expect(now).toBe(TEXT.replace('kind = "stage"  # how', 'kind = "actor"'));
  });

  it("has a new field at the end of its section, or in a new section", () => {
    expect(setIn(TEXT, "lore.budget", 5)).toContain("[lore]\nbudget = 5\n");
    expect(setIn(TEXT, "scribe.enabled", true)).toContain("\n\n[scribe]\nenabled = true\n");
    expect(setIn("", "lore.budget", 5)).toBe("\n[lore]\nbudget = 5\n");
  });

  it("has fields without a section before all sections", () => {
    expect(setIn(TEXT, "governance", "off")).toContain('name = "mine"\ngovernance = "off"\n');
  });

  it("replaces a list that goes over several lines whole", () => {
    const now = setIn(TEXT, "memory.sources", ["store"]);
    expect(now).toContain('[memory]\nsources = ["store"]\n\n[lore]');
  });

  it("loses a field that is unset, and nothing for one that is not there", () => {
    expect(unsetIn(TEXT, "performer.kind")).not.toContain("kind");
    expect(unsetIn(TEXT, "lore.budget")).toBe(TEXT);
  });
});
