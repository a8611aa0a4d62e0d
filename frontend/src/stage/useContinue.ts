/** Going on: of an unfinished turn, resuming it; of a sealed one, more at the end of its text. */
import { api, told } from "@/api/client";
import type { PathItem } from "@/api/types";
import { useStage } from "./stage";
import { isReply, unfinished } from "./transcript";
import { resume, useVerb } from "./verbs";

export function useContinue() {
  const { setSent } = useStage();
  return useVerb(async (item: PathItem) => {
    if (unfinished(item.status)) return void (await resume(item.id));
    await told(
      api.POST("/api/turns/{turn_id}/continue", { params: { path: { turn_id: item.id } } }),
    );
    setSent(null); // nothing moves: the text goes on where it ends
  });
}

/** Whether there is anything to go on from. */
export function continuable(item: PathItem | undefined): item is PathItem {
  return item !== undefined && (isReply(item) || unfinished(item.status));
}
