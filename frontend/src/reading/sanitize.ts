/** What stories may bring along, and nothing else: no scripts, forms, frames, remote loads, no names that
 * reach the page's own. Apart from the parsing because this is the line that must hold. */
import createPurifier, { type Config } from "dompurify";
import { LOOK, TAGS } from "./bare";
import { pictureAllowed } from "./pictures";

const ATTRIBUTES = "title alt start reversed colspan rowspan align lang dir open color".split(" ");
const CONFIG = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ["href", "src", LOOK, ...ATTRIBUTES],
  ADD_URI_SAFE_ATTR: [LOOK, ...ATTRIBUTES],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/api\/)/i,
  RETURN_DOM_FRAGMENT: true,
} as const satisfies Config;

const purifier = createPurifier(window);

purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node instanceof HTMLAnchorElement) {
    node.target = "_blank";
    node.rel = "noopener noreferrer nofollow";
  }
  if (node.localName === "img") settlePicture(node);
});

/** The fragment of some HTML that may be shown. Style attributes must have been renamed (`bare.ts`). */
export function safeFragment(html: string): DocumentFragment {
  return purifier.sanitize(html, CONFIG);
}

/** A picture of a host that the user has not allowed becomes its words, before anything is fetched. */
function settlePicture(picture: Element): void {
  const source = picture.getAttribute("src") ?? "";
  if (pictureAllowed(source)) {
    picture.setAttribute("loading", "lazy");
    picture.setAttribute("decoding", "async");
    picture.setAttribute("referrerpolicy", "no-referrer");
    return;
  }
  const words = picture.ownerDocument.createElement("span");
  words.textContent = picture.getAttribute("alt") || "▢";
  words.title = source.slice(0, 300);
  words.className = "withheld";
  picture.replaceWith(words);
}
