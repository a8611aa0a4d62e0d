import type { settings as en } from "../en/settings";
import type { Same } from "../same";

export const settings: Same<typeof en> = {
  title: "设置",
  pictures: "别处的图片",
  picturesAbout: "故事里的图片只从这些主机取。主机的主人能看到你在读。",
  host: "主机名",
  allow: "允许",
  forbid: "不再允许 {{host}}",
  badHost: "这不是主机名。像 pictures.example.org 这样的才是。",
  nextLoad: "下次载入页面后生效。",
  reload: "现在载入",
};
