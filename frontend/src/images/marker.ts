/** Where a picture of a turn stands in its text: a line of its own, `![caption](image:id)`. Apart from
 * showing it, so that the line can be read without a page. */

export interface Marker {
  id: string;
  caption: string;
}

const MARKER = /^[ \t]*!\[([^[\]\r\n]*)\]\(image:([0-9A-Za-z-]{1,80})\)[ \t]*$/;

/** The picture that a piece of prose stands for; `null` for a piece that holds words. */
export function markerIn(piece: string): Marker | null {
  const found = MARKER.exec(piece);
  if (found === null) return null;
  return { caption: found[1] ?? "", id: found[2] ?? "" };
}

/** The turn that a picture belongs to; its id is that of the turn and a number. */
export function turnOf(id: string): string {
  return id.slice(0, Math.max(id.lastIndexOf("-"), 0));
}

/** The text as it is read out: of a picture its caption. */
export function readOut(text: string): string {
  return text.replace(/!\[([^[\]\r\n]*)\]\(image:[0-9A-Za-z-]*\)/g, "$1");
}

/** The words alone: without the places of pictures, whose addresses are neither counted nor read. */
export function wordsAlone(text: string): string {
  if (!text.includes("](image:")) return text;
  const lines = text.split("\n").filter((line) => markerIn(line) === null);
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
}

/** A piece that is still arriving and will be a picture: its address is not shown letter by letter. */
export function isBegunMarker(piece: string): boolean {
  return /^[ \t]*!\[[^[\]\r\n]*(?:\](?:\((?:i(?:m(?:a(?:g(?:e(?::[0-9A-Za-z-]*)?)?)?)?)?)?)?)?$/.test(
    piece,
  );
}
