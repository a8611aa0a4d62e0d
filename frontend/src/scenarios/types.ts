/** The shapes of the API that scenarios use, by short names. */
import type { components } from "@/api/schema.gen";

type Schemas = components["schemas"];

export type Shown = Schemas["ScenarioShown"];
export type Fault = Schemas["ScenarioFault"];
export type Field = Schemas["FieldTold"];

/** Whether stories can be told with it: one that passes on finished messages assembles nothing. */
export function tellsStories(
  values: Readonly<Record<string, unknown>> | null | undefined,
): boolean {
  return values?.["entry.kind"] !== "precompiled";
}
