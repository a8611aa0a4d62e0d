import type { reading as en } from "../en/reading";
import type { Same } from "../same";

export const reading: Same<typeof en> = {
  title: "阅读",
  paper: "纸张",
  papers: { auto: "跟随系统", light: "浅色", dark: "深色", warm: "暖色", black: "纯黑" },
  face: "中文字体",
  faces: { hei: "黑体", song: "宋体", kai: "楷体" },
  size: "字号",
  line: "行高",
  width: "栏宽",
  gap: "段距",
  indent: "首行缩进",
  byItself: "默认",
  pictures: "隐藏图片",
  cost: "隐藏费用",
  follow: "跟随最后一行",
  speak: "边写边逐句读出",
  enter: "回车发送",
  language: "语言",
  languages: { auto: "跟随浏览器", zh: "中文", en: "English" },
  reset: "恢复默认",
  image: {
    wished: "收笔之后，这里会有一幅画。",
    pending: "正在画……",
    failed: "这幅画没有画成。",
    why: "原因",
    gone: "这里没有画。",
    ready: "画好了。",
  },
  sample: "“雨停了。”她说着，把旧伞收好。",
};
