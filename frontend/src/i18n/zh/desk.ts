import type { desk as en } from "../en/desk";
import type { Same } from "../same";

export const desk: Same<typeof en> = {
  title: "书桌",
  chars: "{{n}} 字",
  parts: "书桌的部分",
  part: { chapters: "章", text: "正文", discussion: "讨论" },
  focus: "只看正文",
  unfocus: "恢复全部",
  bookMenu: "全书",
  panel: {
    timeline: "历史",
    compare: "比较",
    replace: "查找替换",
    export: "导出",
    import: "导入为章",
  },
};
