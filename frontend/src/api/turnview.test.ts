import { describe, expect, it } from "vitest";
import vectors from "../../../tests/vectors/turnview.json";
import { lastSpoken, NOTHING_YET, openAsk, partialText, replay, type TurnView } from "./turnview";
import type { TurnEvent } from "./types";

function whole(view: TurnView): Record<string, unknown> {
  const derived = {
    partial: partialText(view),
    last_spoken: lastSpoken(view),
    open_ask: openAsk(view),
  };
  return JSON.parse(JSON.stringify({ ...view, ...derived }));
}

/** What is not as in the empty view. */
function told(view: TurnView) {
  const before = whole(NOTHING_YET);
  const changed = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(whole(view)).filter(changed));
}

// The vectors are JSON: their kinds are strings to the compiler.
const cases = vectors.cases as unknown as { name: string; events: TurnEvent[]; view: unknown }[];

describe("the reducer of a turn", () => {
  it.each(cases)("gives the server's own view: $name", ({ events, view }) => {
    expect(told(replay(events))).toEqual(view);
  });

  it("lets a kind that it does not know pass", () => {
    const unknown = { kind: "weather", data: {} } as unknown as TurnEvent;
    expect(replay([unknown])).toBe(NOTHING_YET);
  });
});
