import type { panels as en } from "../en/panels";
import type { Same } from "../same";

export const panels: Same<typeof en> = {
  world: "世界",
  roster: "名录",
  lore: "设定",
  memory: "记忆",
  plan: "规划",
  cost: "用量",
  title: "面板",
};
