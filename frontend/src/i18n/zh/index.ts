import type { Words } from "../en";
import { common } from "./common";
import { connections } from "./connections";
import { cost } from "./cost";
import { desk } from "./desk";
import { home } from "./home";
import { inspector } from "./inspector";
import { library } from "./library";
import { lore } from "./lore";
import { lorebooks } from "./lorebooks";
import { map } from "./map";
import { panels } from "./panels";
import { reading } from "./reading";
import { scenarios } from "./scenarios";
import { settings } from "./settings";
import { stage } from "./stage";

export const words: Words = {
  common,
  connections,
  cost,
  desk,
  home,
  inspector,
  library,
  lore,
  lorebooks,
  map,
  panels,
  reading,
  scenarios,
  settings,
  stage,
};
