import { EditorState } from "@codemirror/state";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refusal } from "@/api/problem";
import type { Chapter, Files } from "../chapters/files";
import { type Document, OpenChapter } from "./openchapter";
import { compared } from "./spans";

const NAME = "001-雨夜.md";

/** A book of one chapter whose hashes are its texts: everything that it ever held is in `history`. */
class Book implements Files {
  readonly project = "p";
  readonly history = new Set<string>();
  text: string | null;
  /** What happens elsewhere just before the next save arrives. */
  before: (() => void) | null = null;

  constructor(text: string) {
    this.text = text;
    this.history.add(text);
  }

  write(text: string | null): void {
    this.text = text;
    if (text !== null) this.history.add(text);
  }

  read = async (name: string): Promise<Chapter> => {
    if (this.text === null) throw new Refusal({ code: "chapter_not_found" }, 404);
    return { name, text: this.text, hash: this.text };
  };

  save = async (name: string, text: string, seen: string | null): Promise<Chapter> => {
    this.before?.();
    this.before = null;
    if (this.text !== seen) throw new Refusal({ code: "chapter_changed" }, 412);
    this.write(text);
    return { name, text, hash: text };
  };

  remove = async (): Promise<void> => this.write(null);

  compare = async (from: string, to: string) => {
    const { spans } = compared(from, to);
    return { from: { ref: "", text: from }, to: { ref: "", text: to }, spans } as Awaited<
      ReturnType<Files["compare"]>
    >;
  };
}

/** A document as the editor has it, without a page. */
async function opened(book: Book) {
  const chapter = await OpenChapter.open(book, NAME);
  let state = EditorState.create({ doc: chapter.text });
  const view: Document = {
    get state() {
      return state;
    },
    dispatch: ((spec: Parameters<EditorState["update"]>[0]) => {
      const made = state.update(spec);
      state = made.state;
      chapter.heard(made);
    }) as Document["dispatch"],
  };
  const detach = chapter.attach(view);
  const type = (at: number, words: string) =>
    view.dispatch({ changes: { from: at, insert: words } });
  return { chapter, type, detach, text: () => state.doc.toString() };
}

const settled = () => vi.advanceTimersByTimeAsync(20_000);

beforeEach(() => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("an open chapter", () => {
  it("saves itself once nothing was typed for a moment", async () => {
    const book = new Book("雨。\n");
    const { chapter, type } = await opened(book);
    type(0, "夜");
    type(1, "里");
    expect(chapter.saving.get().kind).toBe("unsaved");
    await settled();
    expect(book.text).toBe("夜里雨。\n");
    expect(chapter.saving.get().kind).toBe("saved");
    expect(book.history.size).toBe(2);
  });

  it("takes in what came from elsewhere, and keeps what is typed beside it", async () => {
    const book = new Book("一。\n\n二。\n\n三。\n");
    const { chapter, type, text } = await opened(book);
    type(0, "第");
    book.write("一。\n\n二。\n\n三又三。\n");
    await chapter.pull();
    expect(text()).toBe("第一。\n\n二。\n\n三又三。\n");
    await settled();
    expect(book.text).toBe("第一。\n\n二。\n\n三又三。\n");
  });

  it("is not overwritten by a save that meets another text", async () => {
    const book = new Book("一。\n\n二。\n");
    const { type } = await opened(book);
    type(0, "第");
    book.before = () => book.write("一。\n\n二又二。\n");
    await settled();
    expect(book.text).toBe("第一。\n\n二又二。\n");
    expect(book.history.has("一。\n\n二又二。\n")).toBe(true);
  });

  it.each([
    ["mine", "我的一。\n"],
    ["theirs", "他的一。\n"],
    ["both", "他的一。\n\n我的一。\n"],
  ] as const)("shows two texts of one place; taking %s loses neither", async (choice, after) => {
    const book = new Book("一。\n");
    const { chapter, type, text } = await opened(book);
    type(0, "我的");
    book.write("他的一。\n");
    await chapter.pull();
    expect(chapter.saving.get()).toMatchObject({
      kind: "conflict",
      theirs: { text: "他的一。\n" },
    });
    await settled();
    expect(book.text).toBe("他的一。\n");
    await chapter.settle(choice);
    await settled();
    expect([book.text, text()]).toEqual([after, after]);
    expect([...book.history].join()).toContain("我的一。");
    expect([...book.history].join()).toContain("他的一。");
  });

  it("keeps the text of a chapter that was taken out", async () => {
    const book = new Book("一。\n");
    const { chapter, type } = await opened(book);
    type(0, "第");
    book.write(null);
    await chapter.pull();
    expect(chapter.saving.get()).toEqual({ kind: "conflict", theirs: null });
    await chapter.settle("mine");
    expect(book.text).toBe("第一。\n");
  });

  it("is opened with what was typed before a crash, also when it changed since", async () => {
    const book = new Book("一。\n\n二。\n");
    const { type } = await opened(book);
    book.save = () => Promise.reject(new Refusal({ code: "unreachable" }, 0));
    type(0, "第");
    await vi.advanceTimersByTimeAsync(3_000);
    const again = new Book("一。\n\n二。\n");
    again.write("一。\n\n二又二。\n");
    const { chapter, text } = await opened(again);
    expect(text()).toBe("第一。\n\n二又二。\n");
    await settled();
    expect(again.text).toBe("第一。\n\n二又二。\n");
    expect(chapter.saving.get().kind).toBe("saved");
  });

  it("saves what is left when it is closed, and says what is not saved", async () => {
    const book = new Book("一。\n");
    const { chapter, type, detach } = await opened(book);
    type(0, "第");
    expect(chapter.unsaved.empty).toBe(false);
    detach();
    await settled();
    expect(book.text).toBe("第一。\n");
    expect(chapter.unsaved.empty).toBe(true);
  });

  it("comes to one text under any weaving of typing, saving and edits elsewhere", async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const next = dice(seed);
      const book = new Book("甲。\n\n乙。\n\n丙。\n\n丁。\n");
      const { chapter, type, text } = await opened(book);
      for (let step = 0; step < 12; step += 1) {
        const mark = `${"①②③④⑤⑥⑦⑧⑨⑩⑪⑫"[step]}`;
        if (next(3) === 0 && book.text !== null) {
          const at = next(book.text.length);
          book.write(`${book.text.slice(0, at)}${mark}${book.text.slice(at)}`);
        } else type(next(text().length), mark);
        if (next(2) === 0) await vi.advanceTimersByTimeAsync(next(3_000));
        if (next(4) === 0) void chapter.pull();
      }
      await settled();
      if (chapter.saving.get().kind === "conflict") await chapter.settle("both");
      await settled();
      const now = chapter.saving.get().kind;
      expect([now, book.text]).toEqual(["saved", text()]);
      const all = [...book.history].join();
      for (const mark of "①②③④⑤⑥⑦⑧⑨⑩⑪⑫") expect(all).toContain(mark);
    }
  });
});

/** The same numbers for the same seed. */
function dice(seed: number): (sides: number) => number {
  let now = seed;
  return (sides) => {
    now = (now * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((now / 2_147_483_648) * sides);
  };
}
