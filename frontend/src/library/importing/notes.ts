/** A note of a report in the reader's words: what it is, and the values that it names. */
import i18next from "i18next";
import type { components } from "@/api/schema.gen";

export type ReportNote = components["schemas"]["ReportNote"];

/** Facts in the order in which one of them leads: the sentence of a note's values goes by its name. */
const LEADS = ["was", "at", "n", "most", "why", "now", "value", "fault"] as const;

/** A code that the page does not know is shown by the server's English sentence; so are the values of a
 * report from before notes had them apart. */
export function noteWords(note: ReportNote): string {
  const { code, detail, facts } = note;
  if (!i18next.exists(`report:notes.${code}`)) return detail === "" ? code : detail;
  const what = say(`notes.${code}`, {});
  const values = facts === undefined || facts === null ? detail : valuesOf(code, facts);
  return values === "" ? what : i18next.t("report:joined", { what, values });
}

function valuesOf(code: string, facts: Readonly<Record<string, string | number>>): string {
  const all = { ...facts, why: whyOf(facts.why), count: facts.n };
  for (const lead of LEADS) {
    if (facts[lead] === undefined) continue;
    const owner = [code, "any"].find((one) =>
      i18next.exists(`report:facts.${one}.${lead}`, { count: Number(facts.n) || 0 }),
    );
    if (owner !== undefined) return say(`facts.${owner}.${lead}`, all);
  }
  return "";
}

function whyOf(why: string | number | undefined): string {
  const key = `why.${String(why).replaceAll(" ", "_")}`;
  return i18next.exists(`report:${key}`) ? say(key, {}) : String(why ?? "");
}

/** Of a key that was just found to exist. */
function say(key: string, values: Readonly<Record<string, unknown>>): string {
  return i18next.t(`report:${key}` as "report:joined", values as { what: string; values: string });
}
