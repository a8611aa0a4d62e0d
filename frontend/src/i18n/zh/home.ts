import type { home as en } from "../en/home";
import type { Same } from "../same";

export const home: Same<typeof en> = {
  title: "首页",
};
