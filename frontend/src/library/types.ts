/** The shapes of the API that the library uses, by short names. */
import type { components } from "@/api/schema.gen";

type Schemas = components["schemas"];

export type LibraryItem = Schemas["LibraryItem"];
export type CardItem = Schemas["CardItem"];
export type CardEntry = Schemas["CardEntry"];
export type PersonaItem = Schemas["PersonaItem"];
export type ImportShown = Schemas["ImportShown"];
export type ImportItem = Schemas["ImportItem"];
export type ImportReport = Schemas["ImportReport"];
export type ScriptSet = Schemas["ScriptSetTold"];
export type TrashItem = Schemas["TrashItem"];
export type PresetEntry = Schemas["PresetEntry"];
