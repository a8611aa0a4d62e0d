import i18next from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import { report as en } from "@/i18n/en/report";
import { report as zh } from "@/i18n/zh/report";
import { noteWords, type ReportNote } from "./notes";

const note = (code: string, detail: string, facts?: ReportNote["facts"]): ReportNote => ({
  code,
  path: "",
  detail,
  facts,
});

describe("a note of a report", () => {
  beforeAll(async () => {
    const resources = { en: { report: en }, zh: { report: zh } };
    await i18next.init({ lng: "zh", resources, interpolation: { escapeValue: false } });
  });

  it("is said with its values in the reader's language", () => {
    const read = note("read_otherwise", "not a list: 7", { why: "not a list", value: "7" });
    expect(noteWords(read)).toBe(`${zh.notes.read_otherwise}：不是列表：7`);
    expect(noteWords(note("chat_not_imported", "2 messages", { n: 2 }))).toContain("2 条消息");
    expect(noteWords(note("unknown_field", "kept for export", {}))).toBe(zh.notes.unknown_field);
  });

  it("tells one of a thing in the singular", async () => {
    await i18next.changeLanguage("en");
    expect(noteWords(note("chat_not_imported", "", { n: 1 }))).toMatch(/: 1 message$/);
    expect(noteWords(note("chat_not_imported", "", { n: 2 }))).toMatch(/: 2 messages$/);
    await i18next.changeLanguage("zh");
  });

  it("keeps the server's sentence where the page knows no better", () => {
    expect(noteWords(note("of_tomorrow", "something new", { n: 1 }))).toBe("something new");
    expect(noteWords(note("asset_missing", "a.png"))).toBe(`${zh.notes.asset_missing}：a.png`);
  });
});
