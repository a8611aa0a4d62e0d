/** Focus is never lost: when what had it goes, it returns to where it was before, or else to the screen.
 * One place for the whole page, since dialogs, menus, fields and lists all go in ways of their own. */

interface Held {
  element: HTMLElement;
  /** What holds it, from within outwards: some of that stands when it is gone. */
  around: readonly Element[];
  /** What it is known by, if it is drawn anew. */
  mark: string;
  path: string;
}

/** Controls that were passed on the way into a long dialog and through it. */
const REMEMBERED = 60;
/** What closes may put the focus somewhere by itself; that comes first. */
const SETTLED_MS = 60;
/** A button that works is disabled meanwhile, and takes the focus again afterwards. */
const WORKING_MS = 600;

const held: Held[] = [];
/** The reader has pointed at something that takes no focus. */
let left = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let since = 0;

/** Listen for the focus, and for what takes it away; called once. */
export function startKeepingFocus(): void {
  document.addEventListener("focusin", (event) => {
    left = false;
    since = 0;
    clearTimeout(timer);
    if (event.target instanceof HTMLElement && event.target !== document.body)
      remember(event.target);
  });
  document.addEventListener("pointerdown", () =>
    setTimeout(() => {
      left = nowhere();
    }),
  );
  const watch = new MutationObserver(() => {
    if (!left && lost()) later(SETTLED_MS);
  });
  const attributeFilter = ["disabled", "hidden"];
  watch.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter });
}

/** Whether the focus was in a place whose content has just been drawn anew, and is nowhere now. A finger
 * would get its keyboard. */
export function hadFocus(place: Element | null): boolean {
  const last = held.at(-1);
  if (place === null || last === undefined || left || !nowhere()) return false;
  return last.around.includes(place) && !matchMedia("(pointer: coarse)").matches;
}

function remember(element: HTMLElement): void {
  const around: Element[] = [];
  for (let at = element.parentElement; at !== null; at = at.parentElement) around.push(at);
  held.push({ element, around, mark: markOf(element), path: location.pathname });
  if (held.length > REMEMBERED) held.shift();
}

/** Whether what had the focus last can have it no more. */
function lost(): boolean {
  const last = held.at(-1);
  return last !== undefined && !stands(last.element);
}

function nowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function later(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(restore, ms);
}

function restore(): void {
  const last = held.at(-1);
  if (last === undefined || left || !nowhere()) return;
  if (last.element.isConnected && last.element.matches(":disabled")) {
    if (since === 0) since = performance.now();
    if (performance.now() - since < WORKING_MS) {
      later(SETTLED_MS);
      return;
    }
  }
  since = 0;
  placeFor(last)?.focus({ preventScroll: true });
}

function placeFor(last: Held): HTMLElement | null {
  const screen = document.querySelector<HTMLElement>("main");
  if (last.path !== location.pathname) {
    // Part of a screen may have gone, or the whole of it: then nothing is there to go back to.
    const stayed = held.findLast(({ element }) => stands(element) && screen?.contains(element));
    return anew(last) ?? stayed?.element ?? screen;
  }
  const dialog = [...document.querySelectorAll<HTMLElement>('[aria-modal="true"]')].at(-1);
  for (const one of held.toReversed()) {
    const found = stands(one.element) ? one.element : anew(one);
    if (found === null || (one !== last && opensKeyboard(found))) continue;
    if (dialog === undefined || dialog.contains(found)) return found;
  }
  return dialog ?? screen;
}

/** The same control, drawn again within what still stands around it. */
function anew({ around, mark, element }: Held): HTMLElement | null {
  const place = around.find((one) => one.isConnected);
  if (place === undefined || mark === "") return null;
  const alike = [...place.querySelectorAll<HTMLElement>(element.localName)].filter(
    (one) => stands(one) && markOf(one) === mark,
  );
  const told = alike.length === 1 || element.hasAttribute("href"); // links to one place do the same
  return told ? (alike[0] ?? null) : null;
}

function markOf(element: HTMLElement): string {
  const name = element.getAttribute("aria-label") ?? element.getAttribute("href");
  if (name !== null) return name;
  if (element.matches("button, summary")) return element.textContent ?? "";
  const typed =
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement;
  return typed ? (element.labels?.[0]?.textContent ?? "") : "";
}

function stands(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(":disabled") && element.checkVisibility();
}

/** A finger that closed something did not ask for its keyboard. */
function opensKeyboard(element: HTMLElement): boolean {
  return matchMedia("(pointer: coarse)").matches && element.matches("input, textarea");
}
