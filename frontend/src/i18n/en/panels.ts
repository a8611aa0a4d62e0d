export const panels = {
  world: "World",
  roster: "Roster",
  lore: "Lore",
  memory: "Memory",
  plan: "Plan",
  cost: "Cost",
  title: "Panels",
};
