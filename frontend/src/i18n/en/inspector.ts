export const inspector = {
  title: "Inspector",
};
