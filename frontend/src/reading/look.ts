/** Looks that a text brings along as style attributes: the policy of the page forbids those, so they are
 * carried under another name (`bare.ts`) and set, by an allow-list, on the element. */

const ALLOWED = new Set([
  ..."color background-color font-style font-weight font-size font-variant text-align".split(" "),
  ..."text-decoration text-indent letter-spacing line-height opacity border border-color".split(
    " ",
  ),
  ..."border-style border-width border-radius border-left border-right border-top border-bottom".split(
    " ",
  ),
  ..."padding padding-left padding-right padding-top padding-bottom margin width max-width".split(
    " ",
  ),
  ..."vertical-align white-space text-transform".split(" "),
]);
/** Nothing is fetched, computed or taken from the page's own values, nothing leaves its place. */
const REFUSED = /url|image|var\(|calc\(|expression|attr\(|env\(|[\\@]|(^|[\s,(])-\d/i;
const LONGEST = 80;

/** Set what is allowed of a style attribute on an element. */
export function applyLook(element: HTMLElement, declared: string): void {
  for (const [name, value] of declarations(declared)) element.style.setProperty(name, value);
}

/** The allowed declarations of a style attribute, in their order. */
export function declarations(declared: string): [string, string][] {
  const found: [string, string][] = [];
  for (const one of declared.slice(0, 2000).split(";")) {
    const colon = one.indexOf(":");
    if (colon < 0) continue;
    const name = one.slice(0, colon).trim().toLowerCase();
    const value = one
      .slice(colon + 1)
      .replace(/!important/i, "")
      .trim();
    if (!ALLOWED.has(name) || value === "" || value.length > LONGEST || REFUSED.test(value))
      continue;
    found.push([name, value]);
  }
  return found;
}
