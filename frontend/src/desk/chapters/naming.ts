/** File names of chapters: a number that orders them, and a title. Pure. */

const NUMBERED = /^(\d+)([-_. ]+)(.*)$/su;
/** What some system forbids in a file name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffd/\\<>:"|?*]+/gu;
const LONGEST = 80;
const DIGITS = 3;

/** The name without its ending. */
export function stemOf(name: string): string {
  return name.replace(/\.md$/iu, "");
}

/** The title of a chapter: its name without number and ending. */
export function titleOf(name: string): string {
  const stem = stemOf(name);
  return NUMBERED.exec(stem)?.[3] || stem;
}

/** The number of a chapter as it stands in the name; empty without one. */
export function numberOf(name: string): string {
  return NUMBERED.exec(stemOf(name))?.[1] ?? "";
}

/** The name of a chapter behind all others. */
export function nextName(names: readonly string[], title: string): string {
  const last = names.at(-1);
  const greatest = Math.max(0, ...names.map((name) => Number(numberOf(name) || "0")));
  const number = String(last === undefined ? 1 : greatest + 1).padStart(DIGITS, "0");
  return `${number}-${fitting(title)}.md`;
}

/** The same chapter under another title. */
export function retitled(name: string, title: string): string {
  const found = NUMBERED.exec(stemOf(name));
  return `${found === null ? "" : `${found[1]}${found[2]}`}${fitting(title)}.md`;
}

/** What two neighbours are called once they have changed places; `null` where names without numbers order
 * them. */
export function swapped(first: string, second: string): readonly [string, string] | null {
  const [one, other] = [NUMBERED.exec(stemOf(first)), NUMBERED.exec(stemOf(second))];
  if (one === null || other === null || one[1] === other[1]) return null;
  const named = (number: RegExpExecArray, title: RegExpExecArray) =>
    `${number[1]}${title[2]}${title[3]}.md`;
  return [named(other, one), named(one, other)];
}

/** A title that may stand in a file name. */
export function fitting(title: string): string {
  const clean = title.normalize("NFC").replace(FORBIDDEN, " ").replace(/\s+/gu, " ").trim();
  return [...clean]
    .slice(0, LONGEST)
    .join("")
    .replace(/[. ]+$/u, "");
}
