import type { map as en } from "../en/map";
import type { Same } from "../same";

export const map: Same<typeof en> = {
  title: "地图",
};
