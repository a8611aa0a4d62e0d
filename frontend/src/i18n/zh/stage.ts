import type { stage as en } from "../en/stage";
import type { Same } from "../same";

export const stage: Same<typeof en> = {
  title: "舞台",
};
