import { describe, expect, it } from "vitest";
import { fitting, nextName, numberOf, retitled, swapped, titleOf } from "./naming";

describe("the names of chapters", () => {
  it("are a number and a title", () => {
    expect(titleOf("012-旧伞.md")).toBe("旧伞");
    expect(titleOf("012 The ferry.md")).toBe("The ferry");
    expect(titleOf("序.md")).toBe("序");
    expect(titleOf("2024.md")).toBe("2024");
    expect(numberOf("012-旧伞.md")).toBe("012");
    expect(numberOf("序.md")).toBe("");
  });

  it("go on behind the last", () => {
    expect(nextName([], "雨夜")).toBe("001-雨夜.md");
    expect(nextName(["000-开场.md"], "雨夜")).toBe("001-雨夜.md");
    expect(nextName(["001-a.md", "041-b.md", "尾声.md"], "Rain")).toBe("042-Rain.md");
  });

  it("keep the number when the title changes", () => {
    expect(retitled("007-雨夜.md", "雨／停")).toBe("007-雨／停.md");
    expect(retitled("序.md", "序章")).toBe("序章.md");
  });

  it("change places by their numbers", () => {
    expect(swapped("001-雨夜.md", "002-旧伞.md")).toEqual(["002-雨夜.md", "001-旧伞.md"]);
    expect(swapped("序.md", "002-旧伞.md")).toBeNull();
  });

  it("hold nothing that a system forbids", () => {
    expect(fitting('a/b: "c"?')).toBe("a b c");
    expect(fitting("end. . ")).toBe("end");
    expect(fitting("界".repeat(200))).toBe("界".repeat(80));
  });
});
