import type { lorebooks as en } from "../en/lorebooks";
import type { Same } from "../same";

export const lorebooks: Same<typeof en> = {
  title: "设定集",
};
