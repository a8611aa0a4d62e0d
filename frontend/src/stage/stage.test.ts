import { describe, expect, it } from "vitest";
import { NOTHING_YET, replay } from "@/api/turnview";
import type { PathItem, TurnEvent } from "@/api/types";
import { doing, stepsOf, tally } from "./activity";
import { shownText } from "./shownText";
import { down, moved, paged } from "./swipe";
import { joined, preceded, retold, shown, type Transcript } from "./transcript";

function item(id: string, parent: string | null, kind: PathItem["kind"] = "turn"): PathItem {
  return {
    id,
    parent,
    kind,
    status: "sealed",
    code: "",
    number: 0,
    title: "",
    user_text: "",
    asked: [],
    final_text: id,
    version: 1,
    variants: [id],
  };
}

function chain(from: number, to: number): PathItem[] {
  return Array.from({ length: to - from }, (_, at) =>
    item(`t${from + at}`, from + at === 0 ? null : `t${from + at - 1}`),
  );
}

const page = (items: PathItem[], next: string | null) => ({
  head: items.at(-1)?.id ?? "",
  items,
  next,
  scripts_off: [],
});

describe("a transcript", () => {
  it("keeps what was read in front of its new end", () => {
    const before: Transcript = { head: "t9", items: chain(0, 10), older: null };
    const now = joined(before, page(chain(5, 12), "t5"));
    expect(now.items.map((one) => one.id)).toEqual(chain(0, 12).map((one) => one.id));
    expect(now.older).toBe(null);
  });

  it("goes on with a page that begins right behind it", () => {
    const before: Transcript = { head: "t4", items: chain(0, 5), older: null };
    expect(joined(before, page(chain(5, 8), "t5")).items).toHaveLength(8);
  });

  it("begins anew where the story stands elsewhere", () => {
    const before: Transcript = { head: "t4", items: chain(2, 5), older: "t2" };
    const other = [item("a", null), item("b", "a")];
    expect(joined(before, page(other, null)).items).toEqual(other);
  });

  it("takes an older page once", () => {
    const before: Transcript = { head: "t9", items: chain(5, 10), older: "t5" };
    const once = preceded(before, page(chain(2, 5), "t2"));
    expect(once.items).toHaveLength(8);
    expect(preceded(once, page(chain(2, 5), "t2")).items).toHaveLength(8);
  });

  it("knows when an edit came, and does not show it as a turn", () => {
    const before: Transcript = { head: "t2", items: chain(0, 3), older: null };
    const now = joined(before, page([...chain(0, 3), item("e", "t2", "edit")], null));
    expect(retold(before, now)).toBe(true);
    expect(shown(now.items)).toHaveLength(3);
  });
});

describe("the text of a running turn", () => {
  const running: TurnEvent = { kind: "status", data: { status: "running", code: "", message: "" } };
  const said = (call: number, text: string): TurnEvent => ({
    kind: "text",
    data: { call, offset: 0, text },
  });
  const called = (call: number): TurnEvent => ({
    kind: "tool",
    data: { phase: "start", call, index: 0, id: "t", name: "card_read", arguments: "{}" },
  });
  const wrote = (version: number, text: string): TurnEvent => ({
    kind: "draft",
    data: {
      version,
      op: "write",
      base: version - 1,
      text,
      edits: [],
      preview: false,
      offset: 0,
      reason: "",
      call: 0,
    },
  });

  it("is the draft with what is being said behind it", () => {
    expect(shownText(replay([running, said(0, "雨。")]))).toBe("雨。");
    expect(shownText(replay([running, wrote(1, "雨。"), said(1, "停了。")]))).toBe(
      "雨。\n\n停了。",
    );
  });

  it("leaves out what is said before tools", () => {
    expect(shownText(replay([running, said(0, "我先查查。"), called(0)]))).toBe("");
  });
});

describe("a swipe", () => {
  const at = (x: number, y = 100) => ({ x, y });

  it("pages when it went far enough across", () => {
    const across = moved(moved(down(at(200), 390, false), at(185)), at(120));
    expect(paged(across)).toBe(1);
    expect(paged(moved(moved(down(at(100), 390, false), at(115)), at(190)))).toBe(-1);
    expect(paged(moved(moved(down(at(200), 390, false), at(185)), at(170)))).toBe(0);
  });

  it("leaves the edges, scrolling and selecting alone", () => {
    expect(paged(moved(moved(down(at(10), 390, false), at(60)), at(200)))).toBe(0);
    expect(paged(moved(moved(down(at(200), 390, false), at(195, 130)), at(20, 130)))).toBe(0);
    expect(paged(moved(moved(down(at(200), 390, true), at(150)), at(20)))).toBe(0);
  });
});

describe("the activity of a turn", () => {
  const start = (index: number, name: string, args: object): TurnEvent => ({
    kind: "tool",
    data: {
      phase: "start",
      call: 0,
      index,
      id: `${index}`,
      name,
      arguments: JSON.stringify(args),
    },
  });
  const end = (index: number, name: string): TurnEvent => ({
    kind: "tool",
    data: {
      phase: "end",
      call: 0,
      index,
      id: `${index}`,
      name,
      ok: true,
      result: "r",
      effect: null,
    },
  });
  const running: TurnEvent = { kind: "status", data: { status: "running", code: "", message: "" } };

  it("names what is being looked up, and waits for the model between calls", () => {
    const busy = replay([running, start(0, "lorebook_search", { query: "旧伞" })]);
    expect(doing(busy)).toEqual({ kind: "lookup", subject: "旧伞" });
    expect(doing(replay([end(0, "lorebook_search")], busy))?.kind).toBe("model");
    expect(doing(NOTHING_YET)?.kind).toBe("queued");
  });

  it("tells what a showrunner calls in the reader's words", () => {
    const view = replay([
      running,
      start(0, "actor", { instruction: "慢一点" }),
      end(0, "actor"),
      start(1, "generate_image", { prompt: "an umbrella in the rain", caption: "旧伞" }),
      end(1, "generate_image"),
      start(2, "schedule_amendment", { request: "让他爱笑" }),
      end(2, "schedule_amendment"),
      start(3, "over", {}),
    ]);
    expect(stepsOf(view).map((step) => [step.kind, step.subject])).toEqual([
      ["write", "慢一点"],
      ["picture", "旧伞"],
      ["change", "让他爱笑"],
      ["seal", ""],
    ]);
  });

  it("counts what was done", () => {
    const view = replay([
      running,
      start(0, "lorebook_search", { query: "伞" }),
      end(0, "lorebook_search"),
      start(1, "draft_edit", {}),
      end(1, "draft_edit"),
    ]);
    expect(tally(stepsOf(view))).toEqual({ lookups: 1, edits: 1, notes: 0, asks: 0 });
  });
});
