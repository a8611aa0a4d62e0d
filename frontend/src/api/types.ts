/** The shapes of the API by the names that the page uses. They are read off the server's own
 * description (`make page-types`); nothing here is written twice by hand. */
import type { components, paths } from "./schema.gen";

export type { paths } from "./schema.gen";

type Schemas = components["schemas"];

export type Problem = Schemas["Problem"];
export type Project = Schemas["ProjectResource"];
export type ProjectItem = Schemas["ProjectItem"];
export type Turn = Schemas["TurnResource"];
export type PathItem = Schemas["PathItem"];
export type PathPage = Schemas["PathPage"];
export type ChatTold = Schemas["ChatTold"];
export type TurnBegun = Schemas["TurnBegun"];
export type HeadMoved = Schemas["HeadMoved"];
export type Readiness = Schemas["Readiness"];
export type Connection = Schemas["ConnectionTold"];
export type FoundItem = Schemas["FoundItem"];
export type AuthorsNote =
  paths["/api/projects/{project_id}/note"]["get"]["responses"][200]["content"]["application/json"];
export type ConnectionChange = Schemas["ConnectionChanged"];

/** The payload of each kind of turn event. `tool` has two, told apart by `phase`. */
export interface TurnPayloads {
  status: Schemas["StatusEvent"];
  thinking: Schemas["ThinkingPieceEvent"];
  text: Schemas["TextPieceEvent"];
  draft: Schemas["DraftChangeEvent"];
  tool: Schemas["ToolStartEvent"] | Schemas["ToolEndEvent"];
  ask: Schemas["AskedEvent"];
  answered: Schemas["AnsweredEvent"];
  captured: Schemas["CapturedEvent"];
  notice: Schemas["NoticeEvent"];
  final: Schemas["FinalEvent"];
  usage: Schemas["UsageReportedEvent"];
  scribe: Schemas["ScribeChangeEvent"];
  ledger: Schemas["LedgerChangeEvent"];
  compaction: Schemas["CompactedEvent"];
  plan: Schemas["PlannedEvent"];
  image: Schemas["ImageChangeEvent"];
  error: Schemas["FailedEvent"];
  end: Schemas["EndEvent"];
}

export type TurnEvent = {
  [K in keyof TurnPayloads]: { kind: K; data: TurnPayloads[K] };
}[keyof TurnPayloads];

export type ProjectEventData = Schemas["ProjectEventData"];
