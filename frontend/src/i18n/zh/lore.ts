import type { lore as en } from "../en/lore";
import type { Same } from "../same";

export const lore: Same<typeof en> = {
  in: "入选 {{n}}",
  out: "未入选 {{n}}",
  untitled: "没有标题",
  noneIn: "没有条目入选。",
  noneMade: "这一拍还没有选过设定。",
  message: "第 {{n}} 条消息里",
  key: "「{{key}}」在{{where}}",
  placed: {
    prefix: "放在系统文本里",
    block: "放在这一拍的设定里",
    title: "只给标题",
  },
  unplaced: "它想放在“{{place}}”，这里的提示没有这个位置。",
  byTitle: "只给了标题。",
  showText: "正文",
  more: "再看 {{n}} 条",
  uncounted: "{{n}} 条属于已不在书库里的书。",
  warnings: "警告 {{n}}",
  test: "测试",
  testHint: "按书现在的样子重选一遍，什么都不保存。",
  testText: "要说的话",
  testRun: "测试",
  testEnd: "回到这一拍",
  tested: "这是测试，不是这一拍。",
  changed: "多入选 {{came}} · 少入选 {{went}}",
  unchanged: "与这一拍入选的相同。",
  book: "设定书 {{n}}",
  cardBook: "角色卡的设定书",
};
