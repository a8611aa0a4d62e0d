/** Which of the places that were found are to be replaced: all but those that were taken out. Pure. */

export interface FoundFile {
  name: string;
  hash: string;
  count: number;
  places: readonly { start: number }[];
}

/** Taken out, by file and hash: a chapter that has changed since begins anew. */
export type LeftOut = ReadonlySet<string>;

export const NONE: LeftOut = new Set();

function placeOf(file: FoundFile, start: number): string {
  return `${file.hash} ${start} ${file.name}`;
}

export function isChosen(left: LeftOut, file: FoundFile, start: number): boolean {
  return !left.has(placeOf(file, start));
}

/** Put places in, or take them out. */
export function choosing(
  left: LeftOut,
  file: FoundFile,
  starts: readonly number[],
  chosen: boolean,
): LeftOut {
  const next = new Set(left);
  for (const start of starts) {
    if (chosen) next.delete(placeOf(file, start));
    else next.add(placeOf(file, start));
  }
  return next;
}

/** How many places of a file are to be replaced, those included that are only counted. */
export function chosenIn(left: LeftOut, file: FoundFile): number {
  return file.count - file.places.filter((one) => !isChosen(left, file, one.start)).length;
}

/** What is asked of the server: the hashes of the chapters that change, and their places that stay. A
 * chapter of which nothing is left is not named. */
export function wish(left: LeftOut, files: readonly FoundFile[]) {
  const changing = files.filter((file) => chosenIn(left, file) > 0);
  const staying = changing.map((file) => {
    const starts = file.places.map((one) => one.start);
    return [file.name, starts.filter((start) => !isChosen(left, file, start))] as const;
  });
  return {
    files: Object.fromEntries(changing.map((file) => [file.name, file.hash])),
    left_out: Object.fromEntries(staying.filter(([, starts]) => starts.length > 0)),
  };
}

export interface Words {
  find: string;
  replace: string;
  ignore_case: boolean;
  whole_words: boolean;
  pattern: boolean;
}

export const BLANK: Words = {
  find: "",
  replace: "",
  ignore_case: false,
  whole_words: false,
  pattern: false,
};

/** Words as they were kept; anything else is blank. */
export function wordsFrom(kept: string): Words {
  try {
    const found: unknown = JSON.parse(kept || "null");
    if (typeof found !== "object" || found === null) return BLANK;
    const { find, replace, ignore_case, whole_words, pattern } = found as Record<string, unknown>;
    if (typeof find !== "string" || typeof replace !== "string") return BLANK;
    return {
      find,
      replace,
      ignore_case: ignore_case === true,
      whole_words: whole_words === true,
      pattern: pattern === true,
    };
  } catch {
    return BLANK;
  }
}
