export const desk = {
  title: "Desk",
};
