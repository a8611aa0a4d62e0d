/** The shapes of the API that lorebooks use, by short names. */
import type { components } from "@/api/schema.gen";

type Schemas = components["schemas"];

export type Entry = Schemas["EntryTold"];
export type Entries = Schemas["EntriesTold"];
/** Fields of an entry; what is not named stays as it is, or is the template's. */
export type EntryGiven = Partial<Schemas["EntryGiven"]>;
export interface EntriesWritten {
  name?: string;
  changed?: (EntryGiven & { uid: number })[];
  rewritten?: Schemas["EntryRewritten"][];
  added?: EntryGiven[];
  removed?: number[];
}
/** The same as the generated types have it, which ask for every field that has a default. */
export type WholeWish = Omit<Schemas["BookWritten"], "revision">;
export type LoreTold = Schemas["LoreTold"];
export type EntryIn = Schemas["EntryIn"];
export type EntryOut = Schemas["EntryOut"];
export type RawContent = Schemas["RawEntry"]["content"];
