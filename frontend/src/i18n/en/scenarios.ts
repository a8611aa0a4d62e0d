export const scenarios = {
  title: "Scenarios",
  values_one: "{{count}} setting",
  values_other: "{{count}} settings",
};
