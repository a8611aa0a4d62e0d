/** The prose of a story with the pictures of its card at their places. */
import { Prose } from "@/reading/Prose";
import { useStage } from "@/stage/stage";
import { useAssets } from "./useAssets";

export function StoryProse({ text }: { text: string }) {
  const { project } = useStage();
  return <Prose text={text} assets={useAssets(project.card_id)} />;
}
