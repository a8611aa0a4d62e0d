/** Days and hours as the reader's language writes them; apart because every list of things has dates. */
import i18next from "i18next";

/** The day of a moment of the API, with the year where it is not this one. */
export function dayOf(moment: string): string {
  const date = new Date(moment);
  const thisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleDateString(i18next.language, {
    year: thisYear ? undefined : "numeric",
    month: "short",
    day: "numeric",
  });
}

/** Seconds as people say them: `38 s`, `2:05`. */
export function lasting(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return i18next.t("common.seconds", { n: whole });
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
