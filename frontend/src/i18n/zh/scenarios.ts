import type { scenarios as en } from "../en/scenarios";
import type { Same } from "../same";

export const scenarios: Same<typeof en> = {
  title: "场景配置",
  values_one: "{{count}} 项设定",
  values_other: "{{count}} 项设定",
};
