/** How answers are kept: shown while they are looked at again, asked for again only when asking may
 * help. */
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
} from "@tanstack/react-query";
import { asRefusal } from "./problem";

/** What is asked for the first time when something changes was asked before the change, and would stand as if
 * it were new: it is asked for again, like what is there already. */
class Queries extends QueryClient {
  override invalidateQueries(
    filters: InvalidateQueryFilters = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    const asksAgain = filters.refetchType === undefined && filters.type === undefined;
    for (const query of asksAgain ? this.getQueryCache().findAll(filters) : []) {
      const { data, fetchStatus } = query.state;
      const first = data === undefined && fetchStatus === "fetching";
      if (first && query.isActive() && !query.isDisabled()) void query.cancel({ silent: true });
    }
    return super.invalidateQueries(filters, options);
  }
}

export function makeQueryClient(): QueryClient {
  return new Queries({
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
