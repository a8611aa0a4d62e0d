/** What stands under the story: the question that waits, or else the box. Who typed in the one goes on
 * in the other; nobody else loses the focus to it. */
import { useLayoutEffect, useRef } from "react";
import { usePicked } from "@/api/liveturn";
import { openAsk } from "@/api/turnview";
import { hadFocus } from "@/ui/keepfocus";
import { AskCard } from "./AskCard";
import { Composer } from "./Composer";
import classes from "./Foot.module.css";
import { useStage } from "./stage";

export function Foot() {
  const { live, project } = useStage();
  const ask = usePicked(live, openAsk);
  const waits = ask !== null && live !== null && project.active === live.id;
  const place = useRef<HTMLDivElement>(null);
  const shown = waits ? ask.call : "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each change of what is shown
  useLayoutEffect(() => {
    if (hadFocus(place.current)) place.current?.querySelector("textarea")?.focus();
  }, [shown]);
  return (
    <div ref={place} className={classes.place}>
      {waits ? <AskCard key={`${live.id}.${ask.call}`} turn={live.id} ask={ask} /> : <Composer />}
    </div>
  );
}
