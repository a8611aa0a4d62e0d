/** Tokens, shares, money and purposes as the reader's language writes them; apart because the panels and the
 * inspector show the same amounts. */
import i18next from "i18next";

export function amount(n: number): string {
  return n.toLocaleString(i18next.language);
}

/** How much of `whole` is `part`, as `93%`; empty where there is no whole. */
export function share(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((100 * part) / whole)}%` : "";
}

const SIGNS: Readonly<Record<string, string>> = { CNY: "¥", USD: "$", EUR: "€" };

/** A cost of the API; empty where that is not known. Small costs keep two digits that say something. */
export function money(cost: Readonly<Record<string, unknown>> | null | undefined): string {
  const { amount: much, currency } = cost ?? {};
  if (typeof much !== "number" || typeof currency !== "string") return "";
  const sign = SIGNS[currency] ?? `${currency} `;
  if (much === 0) return `${sign}0`;
  return `${sign}${much < 0.1 ? Number(much.toPrecision(2)) : much.toFixed(2)}`;
}

/** A purpose in the reader's words; one that the page does not know by its own name. */
export function purposeWord(purpose: string): string {
  const known = `cost.perPurpose.${purpose}`;
  return i18next.exists(known) ? String(i18next.t(known as "cost.purpose")) : purpose;
}
