import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("papers.css", import.meta.url), "utf-8");
const papers = ["light", "warm", "dark", "black"].map((paper) => ({
  paper,
  roles: rolesOf(paper),
}));

function rolesOf(paper: string): Record<string, string> {
  const block = css.split(`[data-paper="${paper}"] {`)[1]?.split("}")[0] ?? "";
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((m) => [m[1], m[2]]),
  );
}

/** The contrast ratio of WCAG 2. */
function contrast(one = "", other = ""): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe.each(papers)("the $paper paper", ({ roles }) => {
  it.each(["page", "surface", "sunken"])("can be read on %s", (ground) => {
    for (const role of ["dialogue", "emphasis", "user", "system", "action"]) {
      expect(contrast(roles[role], roles[ground]), role).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("sets prose at 6.5 to 1 and what is on a ground of its own at 4.5", () => {
    expect(contrast(roles.narration, roles.page)).toBeGreaterThanOrEqual(6.5);
    for (const [ink, ground] of [
      ["on-action", "action"],
      ["on-action", "action-hover"],
      ["inserted", "inserted-back"],
      ["deleted", "deleted-back"],
    ] as const) {
      expect(contrast(roles[ink], roles[ground]), ink).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("has no pure white ink", () => {
    expect(roles.narration).not.toBe("#ffffff");
  });
});
