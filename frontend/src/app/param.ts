/** Parts of the page that stand in the address as `?name=value`: panels, sheets, reports. Opening one is
 * a step in the history, so that Back closes it; closing it takes that step back. */
import { useCallback } from "react";
import { useSearch } from "wouter";
import { navigate } from "wouter/use-browser-location";

/** The value of a parameter (`null`: closed), and how to change it. Changing an open one does not add a
 * step. */
export function useParam(name: string): readonly [string | null, (value: string | null) => void] {
  const value = new URLSearchParams(useSearch()).get(name);
  const set = useCallback(
    (next: string | null) => {
      const params = new URLSearchParams(location.search);
      const open = params.has(name);
      const opened: unknown = history.state?.opened; // ours, or of another page of the history
      if (next === null) {
        if (!open) return;
        if (opened === name) {
          history.back();
          return;
        }
        params.delete(name);
        navigate(addressWith(params), { replace: true });
        return;
      }
      params.set(name, next);
      const state = open ? history.state : { opened: name };
      navigate(addressWith(params), { replace: open, state });
    },
    [name],
  );
  return [value, set] as const;
}

function addressWith(params: URLSearchParams): string {
  const search = params.toString();
  return search === "" ? location.pathname : `${location.pathname}?${search}`;
}
