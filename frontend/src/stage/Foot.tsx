/** What stands under the story: the question that waits, or else the box. */
import { usePicked } from "@/api/liveturn";
import { openAsk } from "@/api/turnview";
import { AskCard } from "./AskCard";
import { Composer } from "./Composer";
import { useStage } from "./stage";

export function Foot() {
  const { live, project } = useStage();
  const ask = usePicked(live, openAsk);
  const waits = ask !== null && live !== null && project.active === live.id;
  return waits ? <AskCard key={`${live.id}.${ask.call}`} turn={live.id} ask={ask} /> : <Composer />;
}
