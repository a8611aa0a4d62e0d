import type { scenarios as en } from "../en/scenarios";
import type { Same } from "../same";

export const scenarios: Same<typeof en> = {
  title: "场景配置",
};
