/** Markdown to HTML as stories write it: a single line break is one, indentation is no code, a line of
 * dashes makes no heading, emphasis works between Han characters. The result is not safe yet
 * (`sanitize.ts`). */
import MarkdownIt from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import { bared } from "./bare";

const parser = new MarkdownIt({ html: true, breaks: true, linkify: false, typographer: false });
parser.disable(["code", "lheading"]);
parser.use(cjkFriendly);

export function toHtml(text: string): string {
  return bared(parser.render(text));
}
