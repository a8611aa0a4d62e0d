/** 一拍里要求的长久改动。 */
import type { amendments as en } from "../en/amendments";
import type { Same } from "../same";

export const amendments: Same<typeof en> = {
  name: "长久的改动",
  changes: "改了什么",
  request: "要求的是什么",
  states: {
    working: "正在拟一处长久的改动。",
    proposed: "提出了一处长久的改动。你发话之前什么也不改。",
    applied: "这处长久的改动从下一拍起算数。",
    refused: "这处长久的改动已回绝。",
    undone: "这处长久的改动已撤回。",
    failed: "这处长久的改动没有拟成，这一拍不受影响。",
  },
  verbs: { accept: "接受", refuse: "回绝", undo: "撤回" },
  fields: {
    description: "角色卡：描述",
    personality: "角色卡：性格",
    scenario: "角色卡：情境",
    mes_example: "角色卡：对话示例",
    system_prompt: "角色卡：指令",
  },
  lore: "新设定：{{title}}",
  style: "新的文风规则",
};
