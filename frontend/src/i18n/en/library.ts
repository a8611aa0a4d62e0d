export const library = {
  title: "Library",
};
