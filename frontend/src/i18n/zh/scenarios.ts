import type { scenarios as en } from "../en/scenarios";
import type { Same } from "../same";

export const scenarios: Same<typeof en> = {
  title: "场景配置",
  choose: "这个故事的场景配置",
  chooseAbout: "从下一拍起生效，已经写下的不变。",
  performers: {
    stage: "稿纸：模型先写，再读、再改，然后收笔。",
    actor: "一次生成：模型说的就是正文。更快，也适合不会用工具的模型。",
    showrunner: "由统筹调度正文、插图和设定的改动。",
    writing: "用于写作项目。",
  },
  planner: "故事旁边有后台规划。",
  lacks: {
    image: "没有能画画的连接，这里就不画插图。给一个连接分派“配图”角色即可。",
  },
  values_one: "{{count}} 项设定",
  values_other: "{{count}} 项设定",
};
