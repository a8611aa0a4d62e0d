/** Whether the server can be reached, as the open streams find it; apart from them because one bar on
 * the page speaks for all. */
import { makeStore } from "@/ui/store";

const lost = new Set<symbol>();
const store = makeStore<"open" | "lost">("open");

export function lineLost(stream: symbol): void {
  lost.add(stream);
  store.set("lost");
}

export function lineMended(stream: symbol): void {
  lost.delete(stream);
  store.set(lost.size === 0 ? "open" : "lost");
}

/** `lost` while any stream that should be open is not. */
export const useLine = store.use;
