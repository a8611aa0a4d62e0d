import { describe, expect, it } from "vitest";
import { makeParser, readEvents } from "./sse";

const WIRE =
  'retry: 2000\n\nid: 7\nevent: text\ndata: {"text":"旧伞🌂"}\n\n: still here\n\nid: 8\ndata: a\ndata: b\n\nid: 9\n';

const EVENTS = [
  { id: "7", event: "text", data: '{"text":"旧伞🌂"}' },
  null,
  { id: "8", event: "message", data: "a\nb" },
];

describe("server-sent events", () => {
  it.each([1, 2, 3, 7, 1000])("are read in pieces of %i bytes, mid-character too", async (size) => {
    const bytes = new TextEncoder().encode(WIRE);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) {
          controller.enqueue(bytes.slice(at, at + size));
        }
        controller.close();
      },
    });
    const found = [];
    for await (const event of readEvents(body)) found.push(event);
    expect(found).toEqual(EVENTS);
  });

  it("keeps CRLF together when it is cut in two", () => {
    const parse = makeParser();
    expect([...parse("data: x\r"), ...parse("\n\r\n")]).toEqual([
      { id: "", event: "message", data: "x" },
    ]);
  });
});
