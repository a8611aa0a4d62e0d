export const connections = {
  title: "Connections",
};
