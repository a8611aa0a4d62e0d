/** The keys of the stage by what they do; the table that is shown and the acting both read it. */

export const KEYS = [
  { id: "goAnywhere", keys: ["Ctrl/⌘ K"] },
  { id: "shortcuts", keys: ["?"] },
  { id: "find", keys: ["Ctrl/⌘ F"] },
  { id: "escape", keys: ["Esc"] },
  { id: "undo", keys: ["Ctrl/⌘ Z"] },
  { id: "redo", keys: ["Ctrl/⌘ ⇧ Z"] },
  { id: "goOn", keys: ["Alt Enter"] },
  { id: "another", keys: ["Alt R"] },
  { id: "lastWords", keys: ["↑"] },
  { id: "variants", keys: ["←", "→"] },
  { id: "turns", keys: ["J", "K"] },
  { id: "onTurn", keys: ["E", "R", "C", "B", "S", "I"] },
  { id: "ask", keys: ["1–4", "Enter"] },
] as const;
