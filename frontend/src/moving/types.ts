/** The shapes of the API that moving in uses, by short names, and the order in which kinds move. */
import type { components } from "@/api/schema.gen";

type Schemas = components["schemas"];

export type Survey = Schemas["MoveSurvey"];
export type MoveTold = Schemas["MoveTold"];
export type MoveShown = Schemas["MoveShown"];
export type MoveItem = Schemas["MoveItem"];
export type MoveKind = Schemas["MovePart"]["kind"];

export function isOver(state: MoveTold["state"]): boolean {
  return state === "done" || state === "failed";
}
