import { describe, expect, it } from "vitest";
import { worded } from "./faultwords";

describe("a fault of a scenario", () => {
  it("is told by its word, with what it says", () => {
    expect(worded("is not a field that is read")).toEqual({ word: "unknown", values: {} });
    expect(worded("must lie between 0 and 5, not 9")).toEqual({
      word: "range",
      values: { low: "0", high: "5", value: "9" },
    });
    expect(worded("must be one of off, shadow, not 'x'")?.word).toBe("choice");
    expect(worded("must be one of stage, actor")?.word).toBe("oneOf");
  });

  it("is told as it is where it is not known", () => {
    expect(worded("enforce needs compaction: set compaction.every")).toBeNull();
  });
});
