import { describe, expect, it } from "vitest";
import { DEFAULTS, proseValues, sound } from "./preferences";

describe("preferences", () => {
  it("are the defaults where nothing or nonsense was stored", () => {
    expect(sound({})).toEqual(DEFAULTS);
    expect(sound({ paper: "pink", size: "18", enterSends: 1, gap: Number.NaN })).toEqual(DEFAULTS);
  });

  it("keep numbers in their range, and 0 as the size by itself", () => {
    expect(sound({ size: 90 }).size).toBe(28);
    expect(sound({ size: 0 }).size).toBe(0);
    expect(sound({ panelWidth: 10 }).panelWidth).toBe(320);
  });

  it("drop keys that are not known", () => {
    expect(sound({ ...DEFAULTS, ...{ colour: "red" } })).toEqual(DEFAULTS);
  });

  it("indent without a gap", () => {
    const values = proseValues({ ...DEFAULTS, indent: true });
    expect(values["--prose-indent"]).toBe("2em");
    expect(values["--prose-gap"]).toBe("0");
  });
});
