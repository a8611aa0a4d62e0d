/** The shapes of the API that the lore panel uses, by short names. */
import type { components } from "@/api/schema.gen";

type Schemas = components["schemas"];

export type LoreTold = Schemas["LoreTold"];
export type EntryIn = Schemas["EntryIn"];
export type EntryOut = Schemas["EntryOut"];
