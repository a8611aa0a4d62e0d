/** The shapes of the API that scenarios use, by short names. */
import type { components } from "@/api/schema.gen";

type Schemas = components["schemas"];

export type Shown = Schemas["ScenarioShown"];
export type Fault = Schemas["ScenarioFault"];
export type Field = Schemas["FieldTold"];
