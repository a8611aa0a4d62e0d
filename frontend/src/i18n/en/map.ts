export const map = {
  title: "Map",
};
