/** The words of the page in the reader's language. English names the keys, Chinese must have each of
 * them (the compiler sees to it); only the language in use is loaded. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { preferences } from "@/reading/preferences";
import type { Words } from "./en";
import type { moving } from "./en/moving";
import type { report } from "./en/report";
import type { Same } from "./same";

export type Language = "zh" | "en";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "page";
    resources: { page: Words; moving: Same<typeof moving>; report: Same<typeof report> };
  }
}

const LOAD: Readonly<Record<Language, () => Promise<{ words: Words }>>> = {
  zh: () => import("./zh"),
  en: () => import("./en"),
};

/** Words that only few screens need, each a namespace of its own that is loaded with its screen. */
const LATER = {
  moving: {
    zh: async () => (await import("./zh/moving")).moving,
    en: async () => (await import("./en/moving")).moving,
  },
  report: {
    zh: async () => (await import("./zh/report")).report,
    en: async () => (await import("./en/report")).report,
  },
} as const;

export type LaterWords = keyof typeof LATER;
const come = new Set<LaterWords>();

/** What the server read off the request, before the page wrote its own there. */
const requested: Language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";

/** The chosen language; where none was chosen, the one that the server read off the request. */
export function languageInForce(): Language {
  const { language } = preferences();
  return language === "auto" ? requested : language;
}

export async function startWords(): Promise<void> {
  const language = languageInForce();
  const { words } = await LOAD[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { page: words } },
    defaultNS: "page",
    interpolation: { escapeValue: false }, // React escapes
    returnNull: false,
  });
  countAsEnglishDoes();
  name(language);
}

/** `{{n, of(one: turn; other: turns)}}`: a number and its noun. Beside the plurals of i18next, for sentences
 * that count two things, and for numbers that come as text. */
export function countAsEnglishDoes(): void {
  i18next.services.formatter?.add("of", (value: unknown, _, { one, other }) => {
    return `${value} ${String(value) === "1" ? one : other}`;
  });
}

/** Speak another language from now on, without a reload. */
export async function speak(language: Language): Promise<void> {
  const { words } = await LOAD[language]();
  i18next.addResourceBundle(language, "page", words);
  await Promise.all([...come].map((part) => fetchWords(part, language)));
  await i18next.changeLanguage(language);
  name(language);
}

/** A part of the page once the words that it needs have come too; for `lazy`. */
export async function withWords<T>(parts: readonly LaterWords[], screen: Promise<T>): Promise<T> {
  await Promise.all(
    parts.map((part) => {
      come.add(part);
      return fetchWords(part, languageInForce());
    }),
  );
  return screen;
}

async function fetchWords(part: LaterWords, language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, part)) return;
  i18next.addResourceBundle(language, part, await LATER[part][language]());
}

function name(language: Language): void {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
}
