/** An entry as a form holds it, and the way to and from the server's shape; apart from what draws it so that
 * both can be read, and tried, alone. */
import type { Entry, EntryGiven } from "./types";

/** `lines`: one member a line. `tri`: yes, no, or as the settings say. `optional`: a number or nothing. */
export type FieldKind =
  | "line"
  | "long"
  | "lines"
  | "flag"
  | "tri"
  | "number"
  | "optional"
  | "choice";

/** Every field of formats §2.1, in groups; the first stands open. */
export const GROUPS = [
  {
    name: "what",
    fields: {
      title: "line",
      keys: "lines",
      content: "long",
      enabled: "flag",
      constant: "flag",
    },
  },
  {
    name: "match",
    fields: {
      secondary: "lines",
      logic: "choice",
      selective: "flag",
      required: "lines",
      forbidden: "lines",
      case_sensitive: "tri",
      whole_words: "tri",
      wildcards: "flag",
      vectorized: "flag",
    },
  },
  {
    name: "scan",
    fields: {
      scan_depth: "optional",
      match_persona: "flag",
      match_description: "flag",
      match_personality: "flag",
      match_depth_prompt: "flag",
      match_scenario: "flag",
      match_creator_notes: "flag",
    },
  },
  {
    name: "place",
    fields: {
      position: "choice",
      depth: "number",
      role: "choice",
      outlet: "line",
      order: "number",
      priority: "optional",
      ignore_budget: "flag",
    },
  },
  { name: "chance", fields: { probability: "number", use_probability: "flag" } },
  {
    name: "group",
    fields: {
      group: "lines",
      group_override: "flag",
      group_weight: "number",
      group_scoring: "tri",
    },
  },
  { name: "time", fields: { sticky: "number", cooldown: "number", delay: "number" } },
  {
    name: "recursion",
    fields: {
      exclude_recursion: "flag",
      prevent_recursion: "flag",
      delay_until_recursion: "number",
    },
  },
  {
    name: "who",
    fields: {
      triggers: "lines",
      filter_names: "lines",
      filter_tags: "lines",
      filter_exclude: "flag",
    },
  },
  { name: "kept", fields: { automation_id: "line", display_index: "optional" } },
] as const satisfies readonly { name: string; fields: Readonly<Record<string, FieldKind>> }[];

type FieldsOf<Group> = Group extends { fields: infer Fields } ? keyof Fields : never;
export type FieldName = FieldsOf<(typeof GROUPS)[number]>;
export type Form = Record<FieldName, string | boolean>;

const KINDS: ReadonlyMap<string, FieldKind> = new Map(
  GROUPS.flatMap((group) => Object.entries(group.fields)),
);

/** The entry of a book that has none yet. */
export const BLANK: Entry = {
  uid: 0,
  title: "",
  keys: [],
  secondary: [],
  required: [],
  forbidden: [],
  logic: 0,
  selective: true,
  content: "",
  enabled: true,
  constant: false,
  vectorized: false,
  order: 100,
  priority: null,
  position: 0,
  depth: 4,
  role: 0,
  outlet: "",
  probability: 100,
  use_probability: true,
  ignore_budget: false,
  scan_depth: null,
  case_sensitive: null,
  whole_words: null,
  wildcards: false,
  group: [],
  group_override: false,
  group_weight: 100,
  group_scoring: null,
  exclude_recursion: false,
  prevent_recursion: false,
  delay_until_recursion: 0,
  match_persona: false,
  match_description: false,
  match_personality: false,
  match_depth_prompt: false,
  match_scenario: false,
  match_creator_notes: false,
  sticky: 0,
  cooldown: 0,
  delay: 0,
  triggers: [],
  filter: { isExclude: false, names: [], tags: [] },
  automation_id: "",
  display_index: null,
  resident: false,
};

export function formOf(entry: Entry): Form {
  const flat = flatOf(entry);
  const pairs = [...KINDS].map(([name, kind]) => [name, typed(kind, flat[name])]);
  return Object.fromEntries(pairs) as Form; // each field once: `KINDS` holds them all
}

/** What of a form differs from the entry: the fields to be written. */
export function changes(entry: Entry, form: Form): EntryGiven {
  const before = formOf(entry);
  const changed: Record<string, unknown> = {};
  for (const [name, kind] of KINDS) {
    const value = form[name as FieldName];
    if (value === before[name as FieldName]) continue;
    if (name.startsWith("filter_")) changed.filter = filterOf(form);
    else changed[name] = told(kind, value);
  }
  return changed as EntryGiven; // the names and kinds are those of the schema
}

/** Whether a group says something else than the template. */
export function isSet(group: (typeof GROUPS)[number], form: Form): boolean {
  const blank = formOf(BLANK);
  return Object.keys(group.fields).some((name) => {
    const field = name as FieldName; // a key of the group
    return form[field] !== blank[field];
  });
}

function flatOf(entry: Entry): Record<string, unknown> {
  const { isExclude, names, tags } = entry.filter;
  return { ...entry, filter_names: names, filter_tags: tags, filter_exclude: isExclude };
}

function filterOf(form: Form): Entry["filter"] {
  return {
    isExclude: form.filter_exclude === true,
    names: linesOf(form.filter_names),
    tags: linesOf(form.filter_tags),
  };
}

function typed(kind: FieldKind, value: unknown): string | boolean {
  switch (kind) {
    case "flag":
      return value === true;
    case "tri":
      if (value === null) return "";
      return value === true ? "yes" : "no";
    case "lines":
      return Array.isArray(value) ? value.join("\n") : "";
    case "line":
    case "long":
    case "number":
    case "optional":
    case "choice":
      return value === null ? "" : String(value);
  }
}

function told(kind: FieldKind, value: string | boolean): unknown {
  switch (kind) {
    case "flag":
      return value === true;
    case "tri":
      return value === "" ? null : value === "yes";
    case "lines":
      return linesOf(value);
    case "number":
    case "choice":
      return Number(value) || 0;
    case "optional":
      return String(value).trim() === "" ? null : Number(value) || 0;
    case "line":
    case "long":
      return String(value);
  }
}

function linesOf(value: string | boolean): string[] {
  return String(value)
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
