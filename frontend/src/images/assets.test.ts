import { describe, expect, it } from "vitest";
import { assetsOf, NO_ASSETS, withAssets } from "./assets";

const assets = assetsOf([
  { names: ["笑", "assets/emotion/a.png"], picture: "/api/cards/c/assets/0" },
  { names: ["Lamp.png", "0"], picture: "/api/cards/c/assets/1" },
]);

describe("pictures of the card", () => {
  it.each([
    ["![她笑](embeded://assets/emotion/a.png)", "![她笑](/api/cards/c/assets/0)"],
    ["![](embedded://assets/emotion/A.png)", "![](/api/cards/c/assets/0)"],
    ["![](__asset:0)", "![](/api/cards/c/assets/1)"],
    ["她{{img::笑}}了", '她<img src="/api/cards/c/assets/0" alt="笑">了'],
    ["{{ Emotion :: 笑.png }}", '<img src="/api/cards/c/assets/0" alt="笑.png">'],
    ['<img="lamp">', '<img src="/api/cards/c/assets/1" alt="lamp">'],
    ['<img src="{{raw::lamp}}">', '<img src="/api/cards/c/assets/1">'],
    [
      '<img class="x" src="lamp.webp" alt="灯">',
      '<img class="x" src="/api/cards/c/assets/1" alt="灯">',
    ],
  ])("stand where a text calls for them: %s", (text, shown) => {
    expect(withAssets(text, assets)).toBe(shown);
  });

  it("leave alone what the card does not have", () => {
    for (const text of [
      "{{img::哭}}",
      "{{char}} [x] <b>",
      "![](https://a.example/lamp.png)",
      '<img src="https://a.example/lamp.png">',
      "![](embeded://assets/other.png)",
    ])
      expect(withAssets(text, assets)).toBe(text);
    expect(withAssets("{{img::笑}}", NO_ASSETS)).toBe("{{img::笑}}");
  });
});
