/** Sizes of files as people say them. */
import i18next from "i18next";

const UNITS = ["kilobyte", "megabyte", "gigabyte"] as const;

/** `12 kB`, `3.4 MB`; less than one kilobyte is one. */
export function bytes(size: number): string {
  let unit = 0;
  let much = Math.max(size / 1000, 1);
  while (much >= 1000 && unit < UNITS.length - 1) {
    much /= 1000;
    unit += 1;
  }
  return much.toLocaleString(i18next.language, {
    style: "unit",
    unit: UNITS[unit],
    maximumFractionDigits: unit > 0 && much < 10 ? 1 : 0,
  });
}
