import type { Same as Texts } from "../same";
import { amendments } from "./amendments";
import { check } from "./check";
import { common } from "./common";
import { connections } from "./connections";
import { cost } from "./cost";
import { desk } from "./desk";
import { home } from "./home";
import { inspector } from "./inspector";
import { library } from "./library";
import { lore } from "./lore";
import { lorebooks } from "./lorebooks";
import { manuscript } from "./manuscript";
import { map } from "./map";
import { memory } from "./memory";
import { panels } from "./panels";
import { plan } from "./plan";
import { reading } from "./reading";
import { roster } from "./roster";
import { scenarios } from "./scenarios";
import { settings } from "./settings";
import { stage } from "./stage";
import { world } from "./world";

/** English: one file per feature; `t("stage.title")` finds its words. */
export const words = {
  amendments,
  check,
  common,
  connections,
  cost,
  desk,
  home,
  inspector,
  library,
  lore,
  lorebooks,
  manuscript,
  map,
  memory,
  panels,
  plan,
  reading,
  roster,
  scenarios,
  settings,
  stage,
  world,
};

export type Words = Texts<typeof words>;
