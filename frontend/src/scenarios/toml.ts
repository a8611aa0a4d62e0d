/** Setting and unsetting one field in the text of a scenario, so that comments and order stay as their author
 * has them. It knows the TOML of such files, sections with plain keys; whatever else stands there is left
 * alone, and the server says whether the whole is sound. */

export type Value = string | number | boolean | readonly string[];

/** The text with the field set: in place of its line, at the end of its section, or in a new one. */
export function setIn(text: string, path: string, value: Value): string {
  const lines = text.split("\n");
  const place = placeOf(lines, path);
  const line = `${place.key} = ${written(value)}`;
  if (place.at !== null) lines.splice(place.at, place.count, line);
  else if (place.end !== null) lines.splice(place.end, 0, line);
  else {
    while (lines.at(-1) === "") lines.pop();
    lines.push("", `[${place.section}]`, line, "");
  }
  return lines.join("\n");
}

/** The text without the field; its section stays, empty where nothing else is in it. */
export function unsetIn(text: string, path: string): string {
  const lines = text.split("\n");
  const place = placeOf(lines, path);
  if (place.at !== null) lines.splice(place.at, place.count);
  return lines.join("\n");
}

interface Place {
  section: string;
  key: string;
  /** The line of the field and how many it takes; `null`: it is not there. */
  at: number | null;
  count: number;
  /** Where a new line of its section goes; `null`: there is no such section. */
  end: number | null;
}

function placeOf(lines: readonly string[], path: string): Place {
  const dot = path.indexOf(".");
  const section = dot < 0 ? "" : path.slice(0, dot);
  const key = path.slice(dot + 1);
  let here = "";
  let end: number | null = section === "" ? 0 : null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const head = /^\s*\[\s*([^\]]+?)\s*\]\s*(#.*)?$/.exec(line)?.[1];
    if (head !== undefined) here = head;
    if (here === section && line.trim() !== "") end = at + 1;
    if (head === undefined && here === section && nameIn(line) === key) {
      return { section, key, at, count: spanOf(lines, at), end };
    }
  }
  return { section, key, at: null, count: 0, end };
}

function nameIn(line: string): string | undefined {
  return /^\s*"?([A-Za-z0-9_-]+)"?\s*=/.exec(line)?.[1];
}

/** A list, and a text between three quotes, may go on over several lines. */
function spanOf(lines: readonly string[], at: number): number {
  const first = (lines[at] ?? "").replace(/^[^=]*=\s*/, "");
  const closing = first.startsWith("[") ? "]" : (/^("""|''')/.exec(first)?.[1] ?? null);
  if (closing === null) return 1;
  const rest = first.slice(closing.length);
  if (rest.includes(closing)) return 1;
  for (let next = at + 1; next < lines.length; next += 1) {
    if (lines[next]?.includes(closing)) return next - at + 1;
  }
  return 1;
}

function written(value: Value): string {
  if (typeof value === "object") return `[${value.map((one) => JSON.stringify(one)).join(", ")}]`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
