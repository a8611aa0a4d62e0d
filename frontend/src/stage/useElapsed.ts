/** How long a turn has been at work: counted while it runs, told by the server when it has ended. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, told } from "@/api/client";
import { keys } from "@/api/keys";

const ABSURD_S = 3600;

/** Seconds; `null` while nothing is known. */
export function useElapsed(turn: string, running: boolean): number | null {
  const [begun] = useState(() => Date.now());
  const [now, setNow] = useState(() => Date.now());
  const known = useTurn(turn);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  const created = known.data === undefined ? begun : Date.parse(known.data.created_at);
  if (running) {
    // A clock elsewhere may be wrong; then this page's own counts.
    const since = (now - created) / 1000;
    return since >= 0 && since < ABSURD_S ? since : (now - begun) / 1000;
  }
  if (known.data === undefined || known.data.ended_at === "") return null;
  return (Date.parse(known.data.ended_at) - created) / 1000;
}

/** One turn with its draft, question and outcome. */
export function useTurn(turn: string, enabled = true) {
  return useQuery({
    queryKey: keys.turn(turn),
    queryFn: () => told(api.GET("/api/turns/{turn_id}", { params: { path: { turn_id: turn } } })),
    enabled,
  });
}
