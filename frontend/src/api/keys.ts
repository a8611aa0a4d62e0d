/** The names under which answers are kept. Everything about a project begins with its id, so that
 * one call forgets it all; a feature adds its own names here, one line each. */
export const keys = {
  ready: ["ready"] as const,
  projects: ["projects"] as const,
  project: (id: string) => ["project", id] as const,
  path: (id: string) => ["project", id, "path"] as const,
  tree: (id: string) => ["project", id, "tree"] as const,
  ledger: (id: string) => ["project", id, "ledger"] as const,
  plan: (id: string) => ["project", id, "plan"] as const,
  usage: (id: string) => ["project", id, "usage"] as const,
  turn: (id: string) => ["turn", id] as const,
  lore: (turn: string) => ["turn", turn, "lore"] as const,
  trace: (turn: string) => ["turn", turn, "trace"] as const,
  cards: ["cards"] as const,
  lorebooks: ["lorebooks"] as const,
  personas: ["personas"] as const,
  presets: ["presets"] as const,
  connections: ["connections"] as const,
  scenarios: ["scenarios"] as const,
  trash: ["trash"] as const,
  pageSettings: ["settings", "page"] as const,
  backup: ["backup"] as const,
};
