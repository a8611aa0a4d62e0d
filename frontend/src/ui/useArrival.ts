/** What opens beside what is read takes the focus, itself and not one of its controls: its name is read
 * first, and the next Tab is within it. */
import { type RefObject, useEffect, useRef } from "react";

/** For an element with `tabIndex={-1}` that is drawn because somebody opened it. */
export function useArrival<E extends HTMLElement>(): RefObject<E | null> {
  const place = useRef<E>(null);
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  return place;
}
