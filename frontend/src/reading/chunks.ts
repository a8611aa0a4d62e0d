/** Prose cut into pieces that are drawn one by one, so that of a growing text only the last is parsed
 * again. Pure; apart from the parsing so that both can be tested alone. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const OPENING =
  /<(div|details|table|section|center|blockquote|ul|ol|dl|span|p|font|pre|article|aside|header|footer|figure)\b[^>]*>/gi;
const CLOSING =
  /<\/(div|details|table|section|center|blockquote|ul|ol|dl|span|p|font|pre|article|aside|header|footer|figure)\s*>/gi;

/** The pieces of a Markdown text between blank lines; what belongs together stays together: fenced
 * blocks, elements that are still open, lines that are indented under a list. Their order and words are
 * the text's; a piece that was told once does not change while text is added behind the next one. */
export function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let lines: string[] = [];
  let fence = "";
  let open = 0;
  const flush = () => {
    if (lines.length > 0) chunks.push(lines.join("\n"));
    lines = [];
    open = 0;
  };
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const blank = line.trim() === "";
    if (blank && fence === "" && open <= 0) {
      flush();
      continue;
    }
    const marker = FENCE.exec(line)?.[1] ?? "";
    if (fence !== "") {
      if (marker.startsWith(fence)) fence = "";
    } else if (marker !== "") {
      fence = marker;
    } else {
      open += count(line, OPENING) - count(line, CLOSING);
    }
    lines.push(line);
  }
  flush();
  return withIndented(chunks);
}

function withIndented(chunks: readonly string[]): string[] {
  const made: string[] = [];
  for (const chunk of chunks) {
    const before = made.at(-1);
    if (
      before !== undefined &&
      /^( {2,}|\t)\S/.test(chunk) &&
      /^ {0,3}([-*+]|\d+[.)]) /m.test(before)
    )
      made[made.length - 1] = `${before}\n\n${chunk}`;
    else made.push(chunk);
  }
  return made;
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}
