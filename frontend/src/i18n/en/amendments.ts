/** Lasting changes that a turn asked for. */
export const amendments = {
  name: "Lasting change",
  changes: "What changes",
  request: "What was asked for",
  states: {
    working: "A lasting change is being worked on.",
    proposed: "A lasting change is proposed. Nothing changes before your word.",
    applied: "A lasting change holds from the next turn on.",
    refused: "This lasting change was refused.",
    undone: "This lasting change was taken back.",
    failed: "The lasting change could not be worked out. The turn is as it was.",
  },
  verbs: { accept: "Accept", refuse: "Refuse", undo: "Take back" },
  fields: {
    description: "Card: description",
    personality: "Card: personality",
    scenario: "Card: scenario",
    mes_example: "Card: examples of speech",
    system_prompt: "Card: instructions",
  },
  lore: "New lore: {{title}}",
  style: "New rule of style",
};
