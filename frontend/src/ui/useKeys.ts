/** Listens to the keys of a whole screen, from the moment it is drawn. Nothing is heard while an input method
 * composes, nor what somebody has taken already. */
import { useLayoutEffect, useRef } from "react";
import { composing } from "./composing";

/** `actOf` says what a key does now, null where it does nothing here. */
export function useKeys(actOf: (event: KeyboardEvent) => (() => void) | null): void {
  const latest = useRef(actOf);
  latest.current = actOf;
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (composing(event) || event.defaultPrevented) return;
      const act = latest.current(event);
      if (act === null) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
