import type { library as en } from "../en/library";
import type { Same } from "../same";

export const library: Same<typeof en> = {
  title: "书库",
};
