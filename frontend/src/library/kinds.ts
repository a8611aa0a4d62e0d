/** The kinds of things in the library, in the order of its tabs, by their element of the address. */
export const KINDS = [
  "cards",
  "lorebooks",
  "personas",
  "presets",
  "scripts",
  "quick-replies",
  "trash",
] as const;

export type Kind = (typeof KINDS)[number];

/** The kind of an address; what is not known is shown as cards. */
export function kindOf(element: string | undefined): Kind {
  return KINDS.find((kind) => kind === element) ?? "cards";
}
