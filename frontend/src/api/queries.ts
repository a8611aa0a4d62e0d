/** How answers are kept: shown while they are looked at again, asked for again only when asking may
 * help. */
import { QueryClient } from "@tanstack/react-query";
import { asRefusal } from "./problem";

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The server is often on this very machine: the browser's idea of being online says nothing.
        networkMode: "always",
        staleTime: 5_000,
        refetchOnWindowFocus: false, // the project's event stream tells what changed
        retry: (failures, error) => failures < 3 && asRefusal(error).passing,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
