import { describe, expect, it } from "vitest";
import { repliesOf } from "./quickreplies";

describe("quick replies", () => {
  it("are read from sets of either age", () => {
    const now = { version: 2, qrList: [{ label: "继续", message: "/continue" }, null, "x"] };
    expect(repliesOf(now)).toEqual([{ label: "继续", message: "/continue" }]);
    const old = { quickReplySlots: [{ label: "go", mes: "/send go" }] };
    expect(repliesOf(old)).toEqual([{ label: "go", message: "/send go" }]);
  });

  it("are none where there is no list", () => {
    expect(repliesOf({ qrList: "x" })).toEqual([]);
  });
});
