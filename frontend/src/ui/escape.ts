/** Esc closes the innermost thing that is open. Whoever opens something puts its closing on top while it
 * is open; with nothing on the stack the key is the screen's own. */
import { useLayoutEffect, useRef } from "react";

type Close = { run: () => void };

const stack: Close[] = [];

/** While `active`, Esc calls `close`, unless something that opened later takes it. */
export function useEscape(active: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => {
    if (!active) return;
    const one: Close = { run: () => latest.current() };
    stack.push(one);
    return () => {
      stack.splice(stack.indexOf(one), 1);
    };
  }, [active]);
}

/** Listen for the key; called once. While an input method composes, the key is its own. */
export function startEscape(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (event.isComposing || event.keyCode === 229) return;
    const top = stack.at(-1);
    if (top === undefined) return;
    event.preventDefault();
    top.run();
  });
}
