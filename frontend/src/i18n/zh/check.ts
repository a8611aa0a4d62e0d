import type { check as en } from "../en/check";
import type { Same } from "../same";

export const check: Same<typeof en> = {
  what: "规划组的行家把改过的地方同账本、同后面的章节对一遍。正文不会改动。",
  start: "核对改动",
  chapter: "核对这一章",
  running: "正在读……",
  failed: "没有核对成：{{message}}",
  nothing: "都对得上。",
  done_one: "{{count}} 条",
  done_other: "{{count}} 条",
  leftOut: "太多，没有核对：{{names}}",
  failedExperts: "没有答复：{{names}}",
  advisory: "无据",
  accepted: "已采纳",
  dismissed: "已驳回",
  accept: "采纳",
  dismiss: "驳回",
  reopen: "重新打开",
  ledger: "账本",
};
