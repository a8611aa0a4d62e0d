/** What a turn does and did, told from its view: one verb while it runs, a list of steps, a summary when
 * it has ended. Pure; the words are the component's. */
import { lastSpoken, openAsk, type ToolView, type TurnView } from "@/api/turnview";

export type StepKind =
  | "thought"
  | "lookup"
  | "write"
  | "edit"
  | "seal"
  | "ask"
  | "note"
  | "plan"
  | "picture"
  | "change"
  | "call";

export interface Step {
  key: string;
  kind: StepKind;
  /** What it was about: the words looked for, the title noted. */
  subject: string;
  /** `null` while it goes on. */
  ok: boolean | null;
  /** The thought, or the call as it was made and answered. */
  raw: string;
}

const KINDS: Readonly<Record<string, StepKind>> = {
  draft_write: "write",
  draft_append: "write",
  draft_edit: "edit",
  draft_seal: "seal",
  previous_draft_edit: "edit",
  ask: "ask",
  memory_add: "note",
  save_create: "note",
  turn_plan: "plan",
  // What a showrunner calls.
  actor: "write",
  generate_image: "picture",
  schedule_amendment: "change",
  over: "seal",
  // At the desk the files themselves are looked at and changed.
  read: "lookup",
  grep: "lookup",
  find: "lookup",
  ls: "lookup",
  write: "write",
  edit: "edit",
  rename: "edit",
  remove: "edit",
};

/** What a showrunner says of a segment, a picture, a change. */
const DIRECTED = ["instruction", "caption", "prompt", "request"] as const;

export function kindOf(tool: string): StepKind {
  const known = KINDS[tool];
  if (known !== undefined) return known;
  return /_(search|read|list)$/.test(tool) ? "lookup" : "call";
}

/** The steps in their order: the thought of a call before what it called. */
export function stepsOf(view: TurnView): Step[] {
  const calls = new Set([
    ...Object.keys(view.thinking).map(Number),
    ...view.tools.map((tool) => tool.call),
  ]);
  const steps: Step[] = [];
  for (const call of [...calls].sort((a, b) => a - b)) {
    const thought = view.thinking[call] ?? "";
    const tools = view.tools.filter((tool) => tool.call === call);
    if (thought.trim() !== "") {
      const over = tools.length > 0 || (view.spoken[call] ?? "") !== "" || view.ended;
      steps.push({
        key: `${call}.thought`,
        kind: "thought",
        subject: "",
        ok: over ? true : null,
        raw: thought,
      });
    }
    for (const tool of tools) {
      steps.push({
        key: `${call}.${tool.index}`,
        kind: kindOf(tool.name),
        subject: subjectOf(tool),
        ok: tool.ok,
        raw: [`${tool.name} ${tool.arguments}`, tool.result].filter(Boolean).join("\n\n"),
      });
    }
  }
  return steps;
}

/** What happens at this moment; `null` when the turn does nothing. */
export function doing(
  view: TurnView,
): { kind: StepKind | "queued" | "waiting" | "model"; subject: string } | null {
  if (view.ended || view.final !== null) return null;
  if (view.status === "queued") return { kind: "queued", subject: "" };
  if (openAsk(view) !== null) return { kind: "waiting", subject: "" };
  if (view.status !== "running") return null;
  if (view.preview !== null) return { kind: "write", subject: "" };
  const last = stepsOf(view).at(-1);
  if (last !== undefined && last.ok === null) return { kind: last.kind, subject: last.subject };
  return { kind: lastSpoken(view) === "" ? "model" : "write", subject: "" };
}

export interface Tally {
  lookups: number;
  edits: number;
  notes: number;
  asks: number;
}

/** How much of each there was, for the line that stays. */
export function tally(steps: readonly Step[]): Tally {
  const of = (kind: StepKind) =>
    steps.filter((step) => step.kind === kind && step.ok !== false).length;
  return { lookups: of("lookup"), edits: of("edit"), notes: of("note"), asks: of("ask") };
}

/** A chapter by its name, as the author knows it. */
function chapterOf(path: string): string {
  return path.replace(/^.*\//u, "").replace(/\.md$/iu, "");
}

function subjectOf(tool: ToolView): string {
  try {
    const given: unknown = JSON.parse(tool.arguments);
    if (typeof given !== "object" || given === null) return "";
    for (const name of ["query", "title", "name", "keyword", "pattern", "path", ...DIRECTED]) {
      const value = (given as Record<string, unknown>)[name];
      if (typeof value !== "string" || value === "") continue;
      return (name === "path" ? chapterOf(value) : value).slice(0, 40);
    }
  } catch {
    // Arguments that are no JSON are shown in the raw call.
  }
  return "";
}
