import type { roster as en } from "../en/roster";
import type { Same } from "../same";

export const roster: Same<typeof en> = {
  people: "人物",
  items: "物品",
  places: "地点",
  threads: "线索",
  find: "查找名字",
  unknown: "时间不详",
  empty: "还没有人或物出场。每一拍之后，场记会把名字记在这里。",
  noneLike: "没有带「{{wanted}}」的名字。",
};
