import type { inspector as en } from "../en/inspector";
import type { Same } from "../same";

export const inspector: Same<typeof en> = {
  title: "检视",
};
