/** A value outside React that components can watch; for what belongs to the page, not to a screen. */
import { useSyncExternalStore } from "react";

export interface Store<T> {
  get: () => T;
  set: (value: T) => void;
  watch: (listener: () => void) => () => void;
  /** The value in a component, which is drawn again when it changes. */
  use: () => T;
}

export function makeStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const watch = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    watch,
    use: () => useSyncExternalStore(watch, get),
  };
}
