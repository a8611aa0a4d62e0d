/** HTML freed, as text, of what the page's policy would have to refuse when it is parsed: tags that are not
 * shown anyway, and style attributes, which go under another name. This keeps the console quiet; what
 * makes texts safe is `sanitize.ts`. */

/** The tags that stories may bring along. */
export const TAGS: string[] = [
  ..."p br hr em strong i b u s del ins sub sup small mark blockquote q ul ol li dl dt dd".split(
    " ",
  ),
  ..."pre code kbd table thead tbody tfoot tr th td caption h1 h2 h3 h4 h5 h6 a img span".split(
    " ",
  ),
  ..."div details summary ruby rt rp font center abbr cite time wbr figure figcaption".split(" "),
];

/** The attribute that a style attribute is renamed to. */
export const LOOK = "data-look";

const KNOWN = new Set(TAGS);
const WITH_CONTENT = /<(style|script|template|noscript|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const TAG = /<\/?([a-z][\w:-]*)(?:"[^"]*"|'[^']*'|[^"'<>])*>/gi;

export function bared(html: string): string {
  return html.replace(WITH_CONTENT, "").replace(TAG, (tag, name: string) => {
    if (!KNOWN.has(name.toLowerCase())) return "";
    return tag.replace(/([\s"'/])style(\s*=)/gi, `$1${LOOK}$2`);
  });
}
