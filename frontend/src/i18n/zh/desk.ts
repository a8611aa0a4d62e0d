import type { desk as en } from "../en/desk";
import type { Same } from "../same";

export const desk: Same<typeof en> = {
  title: "书桌",
};
