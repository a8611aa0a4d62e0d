export const scenarios = {
  title: "Scenarios",
};
