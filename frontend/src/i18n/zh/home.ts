import type { home as en } from "../en/home";
import type { Same } from "../same";

export const home: Same<typeof en> = {
  goOn: "接着读",
  older: "更早的故事",
  modes: { roleplay: "舞台", writing: "书桌" },
  first: "先看一出排演，或接上模型。",
  begin: "另起一个",
  rehearse: "看排演",
  rehearsal: "排演：台词已备好，不调用模型。",
  connect: "接上模型",
  models: "连接",
  connecting: "粘贴密钥，或用这台机器上的服务。",
  connected: "已接上 {{name}}。",
  card: "打开书库",
  cards: "角色卡和设定集；也可以导入自己的。",
};
