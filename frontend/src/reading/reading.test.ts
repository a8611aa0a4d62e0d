import { describe, expect, it } from "vitest";
import { bared } from "./bare";
import { chunksOf } from "./chunks";
import { spokenIn } from "./dialogue";
import { declarations } from "./look";
import { toHtml } from "./markdown";
import { withTailClosed } from "./tail";
import { tongueOf } from "./tongue";

describe("pieces of prose", () => {
  it("are cut at blank lines", () => {
    expect(chunksOf("一\n二\n\n三\n\n\n四")).toEqual(["一\n二", "三", "四"]);
  });

  it("keep fences, open elements and lists whole", () => {
    expect(chunksOf("```\na\n\nb\n```\n\nc")).toEqual(["```\na\n\nb\n```", "c"]);
    expect(chunksOf("<div>\n\na\n\n</div>\n\nb")).toEqual(["<div>\n\na\n\n</div>", "b"]);
    expect(chunksOf("- a\n\n  b\n\nc")).toEqual(["- a\n\n  b", "c"]);
  });

  it("stay as they were while text is added behind them", () => {
    const text = "一段。\n\n二段“说”。\n\n三段。";
    for (let end = 0; end <= text.length; end += 1) {
      const chunks = chunksOf(text.slice(0, end)).slice(0, -1);
      expect(chunksOf(text).slice(0, chunks.length)).toEqual(chunks);
    }
  });
});

describe("speech", () => {
  const quoted = (text: string) => spokenIn(text).map(({ start, end }) => text.slice(start, end));

  it("stands between the marks of Chinese, English, French and German", () => {
    expect(quoted("他说：“走。”然后「停」")).toEqual(["“走。”", "「停」"]);
    expect(quoted('He said "go", then «non» and „nein“.')).toEqual(['"go"', "«non»", "„nein“"]);
  });

  it("takes the outermost of nested marks", () => {
    expect(quoted("“他说『走』吧。”完")).toEqual(["“他说『走』吧。”"]);
  });

  it("opens nothing where it is not closed", () => {
    expect(quoted("“没有收尾的话")).toEqual([]);
    expect(quoted('He said "go')).toEqual([]);
  });
});

describe("the end of a growing text", () => {
  it("has its emphasis closed", () => {
    expect(withTailClosed("他说，**「重点")).toBe("他说，**「重点**");
    expect(withTailClosed("a *No")).toBe("a *No*");
    expect(withTailClosed("a ***b")).toBe("a ***b***");
    expect(withTailClosed("**a** and *b* c")).toBe("**a** and *b* c");
  });

  it("shows no mark that has nothing behind it", () => {
    expect(withTailClosed("他说，**")).toBe("他说，");
    expect(withTailClosed("a **b*")).toBe("a **b**");
  });

  it("closes nothing of earlier paragraphs", () => {
    expect(withTailClosed("a *b\n\nc")).toBe("a *b\n\nc");
  });
});

describe("Markdown", () => {
  it("gives emphasis between Han characters", () => {
    expect(toHtml("**「重点」**内容")).toContain("<strong>「重点」</strong>内容");
    expect(toHtml("这是**强调。**后面")).toContain("<strong>强调。</strong>");
  });

  it("takes indentation for prose and dashes for a scene break", () => {
    expect(toHtml("    indented")).not.toContain("<code>");
    expect(toHtml("words\n---")).not.toContain("<h2>");
  });

  it("keeps line breaks", () => {
    expect(toHtml("一\n二")).toContain("<br>");
  });
});

describe("looks", () => {
  it("lose the style attribute before anything is parsed", () => {
    expect(bared('<p style="color:red">x</p>')).toBe('<p data-look="color:red">x</p>');
    expect(bared('<p\nSTYLE = "a">style="b"')).toBe('<p\ndata-look = "a">style="b"');
  });

  it("go with the tags that are not shown", () => {
    expect(bared("a<style>p { color: red }</style>b<script>c</script>d")).toBe("abd");
    expect(bared('<base href="x"><iframe srcdoc="<script>y</script>"></iframe>words')).toBe(
      "words",
    );
    expect(bared("<p>1 < 2 and 3 > 2</p>")).toBe("<p>1 < 2 and 3 > 2</p>");
  });

  it("are allowed by name and refused by what would fetch or move", () => {
    expect(declarations("color: red; position: fixed; background: url(x)")).toEqual([
      ["color", "red"],
    ]);
    expect(declarations("color: var(--page); margin: -10px; width: calc(1px)")).toEqual([]);
    expect(declarations("font-weight:bold !important")).toEqual([["font-weight", "bold"]]);
  });
});

describe("the language of a text", () => {
  it("is told by its letters", () => {
    expect(tongueOf("雨夜 old umbrella")).toBe("zh");
    expect(tongueOf("An old umbrella 伞")).toBe("en");
    expect(tongueOf("雨の夜")).toBe("ja");
    expect(tongueOf("123 …")).toBe(null);
  });
});
