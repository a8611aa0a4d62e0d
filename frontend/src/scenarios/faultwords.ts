/** What is wrong with a scenario, in the reader's language: the server's sentences are stable, and those that are
 * not known here are shown as they are. */
const KNOWN = [
  [/^is not a field that is read$/, "unknown"],
  [/^must be a text$/, "text"],
  [/^must be true or false$/, "flag"],
  [/^must be a whole number$/, "whole"],
  [/^must be a number$/, "number"],
  [/^must be a list$/, "list"],
  [/^names something twice$/, "twice"],
  [/^must lie between (?<low>\S+) and (?<high>\S+), not (?<value>\S+)$/, "range"],
  [/^must be one of (?<known>.+), not (?<value>.+)$/, "choice"],
  [/^must be one of (?<known>.+)$/, "oneOf"],
  [/^must be "(?<name>.+)", as the scenario is called$/, "name"],
  [/^cannot be read: (?<what>.+)$/s, "unreadable"],
] as const;

export type FaultWord = (typeof KNOWN)[number][1];

export interface Worded {
  word: FaultWord;
  values: Readonly<Record<string, string>>;
}

/** The word for a sentence and what stands in it; `null` for one that is not known. */
export function worded(what: string): Worded | null {
  for (const [pattern, word] of KNOWN) {
    const found = pattern.exec(what);
    if (found !== null) return { word, values: { ...found.groups } };
  }
  return null;
}
