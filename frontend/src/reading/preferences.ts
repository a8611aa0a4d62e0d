/** What the reader has chosen for this browser: language, paper, the look of prose, keys. Kept in local
 * storage, so that the first paint is right; applied to the root element, where CSS reads it. */
import { makeStore } from "@/ui/store";

export type Paper = "auto" | "light" | "dark" | "warm" | "black";
export type Face = "hei" | "song" | "kai";

export interface Preferences {
  /** `auto`: the browser's languages. */
  language: "auto" | "zh" | "en";
  paper: Paper;
  face: Face;
  /** Pixels, 14–28; 0: 17 on a narrow window, 18 on a wide one. */
  size: number;
  /** Line height; 0: 1.85 for Chinese, 1.65 for English. */
  line: number;
  /** Width of the column in em, 24–60. */
  width: number;
  /** First lines indented by 2em and no gap between paragraphs. */
  indent: boolean;
  /** Gap between paragraphs in em; without effect where first lines are indented. */
  gap: number;
  /** Whether Enter sends on a desktop (Shift+Enter breaks), or the other way round. */
  enterSends: boolean;
  /** Whether the view follows the last line of a growing reply. */
  followLast: boolean;
  /** Whether a finished sentence is read out while it is written. */
  speakSentences: boolean;
  hideCost: boolean;
  hidePictures: boolean;
  /** Width of the side panel in pixels, 320–520. */
  panelWidth: number;
}

export const DEFAULTS: Preferences = {
  language: "auto",
  paper: "auto",
  face: "hei",
  size: 0,
  line: 0,
  width: 38,
  indent: false,
  gap: 0.8,
  enterSends: true,
  followLast: false,
  speakSentences: false,
  hideCost: false,
  hidePictures: false,
  panelWidth: 380,
};

export const RANGES = {
  size: [14, 28],
  line: [1.3, 2.4],
  width: [24, 60],
  gap: [0, 2],
  panelWidth: [320, 520],
} as const satisfies Partial<Record<keyof Preferences, readonly [number, number]>>;

const CHOICES: { [K in keyof Preferences]?: readonly Preferences[K][] } = {
  language: ["auto", "zh", "en"],
  paper: ["auto", "light", "dark", "warm", "black"],
  face: ["hei", "song", "kai"],
};

const KEY = "huaben.preferences";
const store = makeStore<Preferences>(DEFAULTS);

/** The preferences in a component. */
export const usePreferences = store.use;
export const preferences = store.get;

/** Change some of them, here and in the storage; other tabs follow. */
export function prefer(change: Partial<Preferences>): void {
  const next = sound({ ...store.get(), ...change });
  store.set(next);
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // A full or forbidden storage costs the memory of the choice, not the choice.
  }
}

/** Read what was stored, apply it, and follow the storage and the system from now on. */
export function startPreferences(): void {
  store.set(stored());
  apply();
  store.watch(apply);
  darkSystem().addEventListener("change", () => store.set({ ...store.get() }));
  window.addEventListener("storage", (event) => {
    if (event.key === KEY) store.set(stored());
  });
}

/** The paper that is laid: never `auto`. */
export function paperInForce(chosen: Paper): Exclude<Paper, "auto"> {
  if (chosen !== "auto") return chosen;
  return darkSystem().matches ? "dark" : "light";
}

/** Whatever was given, as preferences: a value that is not one of ours falls back to its default, a
 * number out of its range to the nearest in it. */
export function sound(given: Partial<Record<keyof Preferences, unknown>>): Preferences {
  const made: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, usual] of Object.entries(DEFAULTS)) {
    const key = name as keyof Preferences; // the keys of DEFAULTS are those of Preferences
    const value = given[key];
    if (typeof value !== typeof usual) continue;
    const choices: readonly unknown[] | undefined = CHOICES[key];
    if (choices !== undefined && !choices.includes(value)) continue;
    made[key] = typeof value === "number" ? within(key, value) : value;
  }
  return made as unknown as Preferences; // every key was set from a value of its type
}

function within(key: keyof Preferences, value: number): number {
  const byItself = value === 0 && (key === "size" || key === "line");
  if (byItself || !(key in RANGES)) return value;
  const [least, most] = RANGES[key as keyof typeof RANGES];
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : Number(DEFAULTS[key]);
}

function stored(): Preferences {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return sound(typeof found === "object" && found !== null ? found : {});
  } catch {
    return DEFAULTS;
  }
}

function darkSystem(): MediaQueryList {
  return window.matchMedia("(prefers-color-scheme: dark)");
}

function apply(): void {
  const root = document.documentElement;
  const chosen = store.get();
  root.dataset.paper = paperInForce(chosen.paper);
  root.dataset.pictures = chosen.hidePictures ? "hidden" : "shown";
  for (const [name, value] of Object.entries(proseValues(chosen))) {
    if (value === "") root.style.removeProperty(name);
    else root.style.setProperty(name, value);
  }
  const page = getComputedStyle(root).getPropertyValue("--page").trim();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = page;
  }
}

/** The custom properties of prose; an empty one leaves the style sheet's own value. */
export function proseValues(chosen: Preferences): Record<string, string> {
  return {
    "--prose-face": `var(--face-${chosen.face})`,
    "--prose-size": chosen.size === 0 ? "" : `${chosen.size}px`,
    "--prose-line-zh": chosen.line === 0 ? "" : String(chosen.line),
    "--prose-line-en": chosen.line === 0 ? "" : String(chosen.line),
    "--prose-width": `${chosen.width}em`,
    "--prose-indent": chosen.indent ? "2em" : "0",
    "--prose-gap": chosen.indent ? "0" : `${chosen.gap}em`,
    "--panel-width": `${chosen.panelWidth}px`,
  };
}
