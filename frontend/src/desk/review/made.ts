/** What the file tools of a turn come to, chapter by chapter; apart from the changes within a text. Pure. */
import type { TurnView } from "@/api/turnview";

/** A file that a turn changed: the hashes of its bytes, `null` where there was or is none. */
export interface FileChange {
  name: string;
  /** The name that it had before the turn, where that is another one. */
  was: string | null;
  before: string | null;
  after: string | null;
}

interface Step {
  name: string;
  before: string | null;
  after: string | null;
}

/** What all edits of a turn come to, by name; what was changed back is left out. */
export function filesOf(view: Pick<TurnView, "tools">): FileChange[] {
  const whole = new Map<string, Step>();
  const origins = new Map<string, string>();
  for (const tool of view.tools) {
    const steps = [...stepsOf(tool.effect?.files)];
    follow(origins, steps);
    for (const { name, before, after } of steps) {
      const known = whole.get(name);
      const first = known === undefined ? before : known.before;
      if (first === after) whole.delete(name);
      else whole.set(name, { name, before: first, after });
    }
  }
  return told(whole, origins);
}

/** Which name each chapter had before, through one tool after another. */
function follow(origins: Map<string, string>, steps: readonly Step[]): void {
  const pairs = renamed(steps).map(([was, now]) => [origins.get(was) ?? was, now] as const);
  for (const { name, after } of steps) if (after === null) origins.delete(name);
  for (const [origin, now] of pairs) origins.set(now, origin);
}

/** Names that are gone and came with the same bytes, one to one in order, as checkpoints tell it. */
function renamed(steps: readonly Step[]): [string, string][] {
  const sorted = [...steps].sort(byName);
  const gone = sorted.filter((one) => one.after === null);
  return sorted.flatMap((one): [string, string][] => {
    if (one.before !== null) return [];
    const at = gone.findIndex((other) => other.before === one.after);
    const [was] = at < 0 ? [] : gone.splice(at, 1);
    return was === undefined ? [] : [[was.name, one.name]];
  });
}

/** A chapter that is gone and one that came of it are told as one. */
function told(whole: ReadonlyMap<string, Step>, origins: ReadonlyMap<string, string>) {
  const steps = [...whole.values()].sort(byName);
  const sources = new Map<string, Step>();
  const taken = new Set<string>();
  const claim = (name: string, was: string) => {
    const source = whole.get(was);
    if (source === undefined || source.after !== null || taken.has(was)) return;
    taken.add(was);
    sources.set(name, source);
  };
  const came = steps.filter((one) => one.before === null);
  for (const { name } of came) claim(name, origins.get(name) ?? name);
  const rest = steps.filter((one) => !taken.has(one.name) && !sources.has(one.name));
  for (const [was, name] of renamed(rest)) claim(name, was);
  return steps
    .filter((one) => !taken.has(one.name))
    .map(({ name, before, after }): FileChange => {
      const source = sources.get(name);
      return { name, was: source?.name ?? null, before: source?.before ?? before, after };
    });
}

function byName(one: Step, other: Step): number {
  return one.name < other.name ? -1 : 1;
}

function* stepsOf(files: unknown): Iterable<Step> {
  if (typeof files !== "object" || files === null) return;
  for (const [name, pair] of Object.entries(files)) {
    if (!Array.isArray(pair) || pair.length !== 2) continue;
    const [before, after]: unknown[] = pair;
    yield { name, before: hashOf(before), after: hashOf(after) };
  }
}

function hashOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
