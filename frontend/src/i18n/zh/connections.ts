import type { connections as en } from "../en/connections";
import type { Same } from "../same";

export const connections: Same<typeof en> = {
  title: "连接",
};
