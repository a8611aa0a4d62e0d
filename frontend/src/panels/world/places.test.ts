import { describe, expect, it } from "vitest";
import { dotted, lockOf, patchAt } from "./places";

describe("a place of the ledger", () => {
  it("is spelled as the server spells it, a name that reads as more with a dot at its end", () => {
    expect(dotted(["characters", "沈砚", "affinity"])).toBe("characters.沈砚.affinity");
    expect(dotted(["characters", "沈砚"])).toBe("characters.沈砚");
    expect(dotted(["characters", "Mr. status"])).toBe("characters.Mr. status");
    expect(dotted(["characters", "Inn.status"])).toBe("characters.Inn.status.");
    expect(dotted(["characters", "St."])).toBe("characters.St..");
    expect(dotted(["flags", "门.status"])).toBe("flags.门.status");
  });

  it("is locked by itself or by what it is part of", () => {
    const path = ["characters", "Ada", "notes"];
    expect(lockOf(path, ["characters.Ada.notes"])).toBe("characters.Ada.notes");
    expect(lockOf(path, ["characters.Ada"])).toBe("characters.Ada");
    expect(lockOf(path, ["characters.Ada.status"])).toBeNull();
  });

  it("is patched alone", () => {
    expect(patchAt(["characters", "阿迟", "affinity"], 12)).toEqual({
      characters: { 阿迟: { affinity: 12 } },
    });
    expect(patchAt(["time"], "子时")).toEqual({ time: "子时" });
  });
});
