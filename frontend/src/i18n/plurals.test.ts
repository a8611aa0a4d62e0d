import i18next from "i18next";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { words } from "./en";
import { moving } from "./en/moving";

/** A number before a noun in the plural, in a sentence that has no other form. */
const MANY = /\{\{\w+\}\} (?:new |other )?([a-z]+s)\b/g;
const NO_NOUNS = new Set(["is", "was", "has", "lies", "rests"]);

function* sentences(part: object, place = ""): Generator<[string, string]> {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value === "string") yield [`${place}.${key}`, value];
    else yield* sentences(value as object, `${place}.${key}`);
  }
}

describe("English", () => {
  beforeAll(async () => {
    vi.stubGlobal("document", { documentElement: { lang: "en" } });
    const { countAsEnglishDoes } = await import("./index");
    vi.unstubAllGlobals();
    await i18next.init({ lng: "en", resources: { en: { page: words } }, defaultNS: "page" });
    countAsEnglishDoes();
  });

  it("tells one of a thing in the singular", () => {
    const facts = { greetings: 1, entries: 3 };
    expect(i18next.t("library.facts", facts)).toBe("1 opening · 3 entries");
    expect(i18next.t("memory.summary", { turns: "1", live: 2 })).toContain("1 turn;");
  });

  it("has a form for one wherever it counts", () => {
    const found = [...sentences({ ...words, moving })].filter(
      ([place, text]) =>
        !/_(one|other)$/.test(place) &&
        [...text.matchAll(MANY)].some(([, noun]) => !NO_NOUNS.has(noun ?? "")),
    );
    expect(found).toEqual([]);
  });
});
