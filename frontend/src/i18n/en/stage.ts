export const stage = {
  title: "Stage",
};
