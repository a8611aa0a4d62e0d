/** The shapes of the API that lorebooks use, by short names. */
import type { components } from "@/api/schema.gen";

type Schemas = components["schemas"];

export type Entry = Schemas["EntryTold"];
export type Entries = Schemas["EntriesTold"];
export type LoreTold = Schemas["LoreTold"];
export type EntryIn = Schemas["EntryIn"];
export type EntryOut = Schemas["EntryOut"];
