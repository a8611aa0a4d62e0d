import { describe, expect, it } from "vitest";
import { isSecret, sectionsOf } from "./lines";

describe("the text of a plan", () => {
  it("is its lines under its headings, in their order", () => {
    const headings = ["## 场景与时间", "## 在场人物"];
    const state = "雨夜\n## 在场人物\n- 沈砚：等一个人  \n\n- 阿蘅\n## 场景与时间\n子时";
    expect(sectionsOf(state, headings)).toEqual([
      { heading: "## 场景与时间", lines: ["雨夜", "子时"] },
      { heading: "## 在场人物", lines: ["- 沈砚：等一个人", "- 阿蘅"] },
    ]);
  });

  it("has secret lines in Chinese and in English", () => {
    expect(isSecret("- [secret: Ada] The door was never locked.")).toBe(true);
    expect(isSecret("- 【秘密：沈砚】伞里有信")).toBe(true);
    expect(isSecret("- 【机密】")).toBe(true);
    expect(isSecret("- 沈砚的秘密没有人知道")).toBe(false);
    expect(isSecret("- A secret garden [m3]")).toBe(false);
  });
});
