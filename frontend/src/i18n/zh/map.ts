import type { map as en } from "../en/map";
import type { Same } from "../same";

export const map: Same<typeof en> = {
  title: "地图",
  toStory: "回到故事",
  preview: "这里的内容",
  opening: "开场",
  present: "现在",
  edit: "改过",
  run_one: "{{count}} 拍",
  run_other: "{{count}} 拍",
  runEnds: "第 {{from}} 至 {{to}} 拍，显示的是最后一拍。",
  variants_one: "另有 {{count}} 个变体",
  variants_other: "另有 {{count}} 个变体",
  read: "读那里",
  compare: "比较",
  compared: "从这一拍的文字到现在的文字。",
  isPresent: "故事就在这里。",
  busy: "有一拍正在写，写完才能去别处。",
  moreSaves: "更多存档",
  rename: "给{{name}}改名",
  remove: "把{{name}}放进回收站",
  newName: "存档的名字",
};
