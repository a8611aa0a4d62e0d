/** The end of a text that is still being written: emphasis that is open there is closed for the eye, so that
 * its marks do not show until it is. Pure. */

const MARKS = /\*{1,3}/g;

/** The text with what is open in its last paragraph closed; a mark with nothing behind it is left out. */
export function withTailClosed(text: string): string {
  const begun = text.replace(/\*{1,3}$/, "");
  const start = begun.lastIndexOf("\n\n") + 1;
  const open: string[] = [];
  for (const [mark] of begun.slice(start).matchAll(MARKS)) {
    for (const one of mark.length === 3 ? ["**", "*"] : [mark]) {
      const at = open.lastIndexOf(one);
      if (at < 0) open.push(one);
      else open.splice(at, 1);
    }
  }
  if (open.length === 0) {
    // What was cut off may have closed something, or have opened nothing yet.
    const cut = text.slice(begun.length);
    return cut === "" ? text : begun;
  }
  return `${begun.trimEnd()}${open.reverse().join("")}`;
}
