import { describe, expect, it } from "vitest";
import { isBegunMarker, markerIn, readOut, turnOf, wordsAlone } from "./marker";

const LINE = "![雨夜里的旧伞](image:0197a3c0-0000-7000-8000-000000000001-0)";

describe("the place of a picture", () => {
  it("is read with its caption and its turn", () => {
    const found = markerIn(LINE);
    expect(found).toEqual({
      caption: "雨夜里的旧伞",
      id: "0197a3c0-0000-7000-8000-000000000001-0",
    });
    expect(turnOf(found?.id ?? "")).toBe("0197a3c0-0000-7000-8000-000000000001");
  });

  it("is a line of its own and names an id of ours", () => {
    for (const words of [
      `她说${LINE}`,
      `${LINE}\n雨`,
      "![x](https://a.example/b.png)",
      "![x](image:../a)",
    ])
      expect(markerIn(words)).toBeNull();
  });

  it("is its caption when it is read out", () => {
    expect(readOut(`雨停了。\n\n${LINE}\n\n她笑。`)).toBe("雨停了。\n\n雨夜里的旧伞\n\n她笑。");
  });

  it("is not among the words", () => {
    expect(wordsAlone(`雨停了。\n\n${LINE}\n\n她笑。`)).toBe("雨停了。\n\n她笑。");
    expect(wordsAlone(`${LINE}\n\n雨。`)).toBe("雨。");
    expect(wordsAlone(`她说${LINE}`)).toBe(`她说${LINE}`);
    expect(wordsAlone("雨。\n\n\n停。")).toBe("雨。\n\n\n停。");
  });

  it("is known while it arrives", () => {
    for (let end = 2; end < LINE.length; end += 1)
      expect(isBegunMarker(LINE.slice(0, end))).toBe(true);
    expect(isBegunMarker("![x](https:")).toBe(false);
    expect(isBegunMarker("雨停了。")).toBe(false);
  });
});
