/** Which turn's words are being changed to be sent again; apart because a key opens it too. */
import { makeStore } from "@/ui/store";

const store = makeStore<string | null>(null);

export const resending = store.set;
export const useResending = store.use;
