import type { settings as en } from "../en/settings";
import type { Same } from "../same";

export const settings: Same<typeof en> = {
  title: "设置",
};
