/** Which changes of a turn the author has looked at and kept; remembered in this browser. */

const placeOf = (project: string, turn: string) => `huaben.seen-changes.${project}.${turn}`;
const LAST = (project: string) => `huaben.seen-changes.${project}`;

type Seen = Readonly<Record<string, readonly string[]>>;

function read(project: string, turn: string): Seen {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(project, turn)) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Seen) : {};
  } catch {
    return {};
  }
}

/** The keys of changes of a chapter that were kept; `*` is the chapter as a whole. */
export function seenOf(project: string, turn: string, name: string): ReadonlySet<string> {
  const keys: unknown = read(project, turn)[name];
  return new Set(Array.isArray(keys) ? keys.filter((one) => typeof one === "string") : []);
}

export function keepSeen(
  project: string,
  turn: string,
  name: string,
  keys: readonly string[],
): void {
  const all = read(project, turn);
  const whole = { ...all, [name]: [...new Set([...(all[name] ?? []), ...keys])] };
  try {
    // Of older turns only the text itself is remembered.
    const last = localStorage.getItem(LAST(project));
    if (last !== null && last !== turn) localStorage.removeItem(placeOf(project, last));
    localStorage.setItem(LAST(project), turn);
    localStorage.setItem(placeOf(project, turn), JSON.stringify(whole));
  } catch {
    // Without storage a change that was kept is shown again after a reload.
  }
}
