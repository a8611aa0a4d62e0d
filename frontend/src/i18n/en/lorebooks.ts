export const lorebooks = {
  title: "Lorebook",
};
