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
  backup: "现在备份",
  backedUp: "已备份：故事、角色卡和设定集，不含密钥。",
  download: "另存一份",
  lastBackup: "上次备份在 {{days}} 天前，此后 {{turns}} 拍。",
  neverBackedUp: "还没有备份过，已经有 {{turns}} 拍。",
  later: "以后再说",
  cards: "角色卡和设定集；也可以导入自己的。",
};
