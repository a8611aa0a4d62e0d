/** Server-sent events out of a byte stream; apart from the following of a stream because what a line
 * means does not depend on who reconnects. */

export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** Events of a `text/event-stream` that arrives in any pieces. Comments come as `null`: nothing is
 * told, but the server lives. A last event without its blank line is dropped, as the standard says. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent | null> {
  const decoder = new TextDecoder();
  const parse = makeParser();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.cancel().catch(() => {}); // leaving early is no error
  }
}

/** A parser that keeps what is unfinished between calls. */
export function makeParser(): (text: string) => (ServerEvent | null)[] {
  let rest = "";
  let id = "";
  let event = "";
  let data: string[] = [];

  function line(text: string): ServerEvent | null | undefined {
    if (text === "") {
      if (data.length === 0) {
        event = "";
        return undefined;
      }
      const found = { id, event: event || "message", data: data.join("\n") };
      event = "";
      data = [];
      return found;
    }
    if (text.startsWith(":")) return null;
    const colon = text.indexOf(":");
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\0")) id = value;
    return undefined;
  }

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    return lines.map(line).filter((found) => found !== undefined);
  };
}
