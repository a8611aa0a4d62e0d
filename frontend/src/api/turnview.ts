/** The one reducer over a turn's events, as the server has it (`domain/turnview.py`); both are held to
 * the same vectors (`tests/vectors/turnview.json`). Pure: no clock, no network, no React. */
import type { TurnEvent, TurnPayloads } from "./types";

export interface DraftVersion {
  version: number;
  reason: string;
  text: string;
  base: number;
  /** The model call that it came from; -1: the user's or the program's. */
  call: number;
}

/** A write that is still arriving: it would replace the draft, or be added after it. */
export interface Preview {
  op: "write" | "append";
  base: number;
  content: string;
  call: number;
}

export interface ToolView {
  call: number;
  index: number;
  id: string;
  name: string;
  arguments: string;
  /** `null` until it has ended. */
  ok: boolean | null;
  result: string;
  effect: Readonly<Record<string, unknown>> | null;
}

export interface AskView {
  call: number;
  index: number;
  question: string;
  options: readonly string[];
  answer: string | null;
}

/** Text by model call. */
export type Spoken = Readonly<Record<number, string>>;

/** A turn as far as its log tells. */
export interface TurnView {
  status: string;
  code: string;
  message: string;
  versions: readonly DraftVersion[];
  preview: Preview | null;
  spoken: Spoken;
  thinking: Spoken;
  tools: readonly ToolView[];
  asks: readonly AskView[];
  captured: readonly TurnPayloads["captured"][];
  notices: readonly TurnPayloads["notice"][];
  final: TurnPayloads["final"] | null;
  usage: readonly TurnPayloads["usage"][];
  scribe: TurnPayloads["scribe"] | null;
  ledger: TurnPayloads["ledger"] | null;
  compacted: TurnPayloads["compaction"] | null;
  plan: TurnPayloads["plan"] | null;
  images: readonly TurnPayloads["image"][];
  error: TurnPayloads["error"] | null;
  ended: boolean;
}

export const NOTHING_YET: TurnView = {
  status: "queued",
  code: "",
  message: "",
  versions: [],
  preview: null,
  spoken: {},
  thinking: {},
  tools: [],
  asks: [],
  captured: [],
  notices: [],
  final: null,
  usage: [],
  scribe: null,
  ledger: null,
  compacted: null,
  plan: null,
  images: [],
  error: null,
  ended: false,
};

/** The view after one more event. A kind that this page does not know changes nothing. */
export function applyEvent(view: TurnView, event: TurnEvent): TurnView {
  switch (event.kind) {
    case "status": {
      const over = event.data.status === "running";
      return {
        ...view,
        status: event.data.status,
        code: event.data.code,
        message: event.data.message,
        error: over ? null : view.error,
        ended: view.ended && !over,
      };
    }
    case "thinking":
      return { ...view, thinking: withPiece(view.thinking, event.data) };
    case "text":
      return { ...view, spoken: withPiece(view.spoken, event.data) };
    case "draft":
      return withDraft(view, event.data);
    case "tool":
      return { ...view, tools: withTool(view.tools, event.data) };
    case "ask": {
      const { call, index, question, options } = event.data;
      return { ...view, asks: [...view.asks, { call, index, question, options, answer: null }] };
    }
    case "answered": {
      const last = view.asks.at(-1);
      if (last === undefined) return view;
      return { ...view, asks: [...view.asks.slice(0, -1), { ...last, answer: event.data.answer }] };
    }
    case "captured":
      return { ...view, captured: [...view.captured, event.data] };
    case "notice":
      return { ...view, notices: [...view.notices, event.data] };
    case "final":
      return { ...view, final: event.data };
    case "usage":
      return { ...view, usage: [...view.usage, event.data] };
    case "scribe":
      return { ...view, scribe: event.data };
    case "ledger":
      return { ...view, ledger: event.data };
    case "compaction":
      return { ...view, compacted: event.data };
    case "plan":
      return { ...view, plan: event.data };
    case "image":
      return { ...view, images: withImage(view.images, event.data) };
    case "error":
      return { ...view, error: event.data };
    case "end":
      return { ...view, status: event.data.status, ended: true };
    default:
      event satisfies never;
      return view;
  }
}

export function replay(events: Iterable<TurnEvent>, view: TurnView = NOTHING_YET): TurnView {
  let seen = view;
  for (const event of events) seen = applyEvent(seen, event);
  return seen;
}

/** The text of the draft in force; empty before the first version. */
export function draftText(view: TurnView): string {
  return view.versions.at(-1)?.text ?? "";
}

/** The draft as it would read with the arrived part of an unfinished write; `null` without one. */
export function partialText(view: TurnView): string | null {
  if (view.preview === null) return null;
  const draft = draftText(view);
  const joined = view.preview.op === "append" && draft !== "";
  return joined ? `${draft}\n\n${view.preview.content}` : view.preview.content;
}

/** What the latest reply has spoken, where no capture took it. */
export function lastSpoken(view: TurnView): string {
  const calls = Object.keys(view.spoken).map(Number);
  if (calls.length === 0) return "";
  const call = Math.max(...calls);
  return view.captured.some((one) => one.call === call) ? "" : (view.spoken[call] ?? "");
}

/** The question that waits for its answer. */
export function openAsk(view: TurnView): AskView | null {
  const last = view.asks.at(-1);
  return last !== undefined && last.answer === null ? last : null;
}

/** The draft version of that number; version 0 is the empty draft. */
export function versionOf(view: TurnView, number: number): DraftVersion | null {
  if (number === 0) return { version: 0, reason: "", text: "", base: 0, call: -1 };
  return view.versions.findLast((one) => one.version === number) ?? null;
}

function withDraft(view: TurnView, data: TurnPayloads["draft"]): TurnView {
  if (data.op === "retract") return { ...view, preview: null };
  if (data.preview) {
    const op = data.op === "append" ? "append" : "write";
    const before = view.preview !== null && data.offset > 0 ? view.preview.content : "";
    const content = splice(before, data.offset, data.text);
    return { ...view, preview: { op, base: data.base, content, call: data.call } };
  }
  const base = versionOf(view, data.base)?.text ?? "";
  const made: DraftVersion = {
    version: data.version,
    reason: data.reason || data.op,
    text: data.edits.length > 0 ? applySpans(base, data.edits) : data.text,
    base: data.base,
    call: data.call,
  };
  return { ...view, versions: [...view.versions, made], preview: null };
}

function withTool(tools: readonly ToolView[], data: TurnPayloads["tool"]): readonly ToolView[] {
  const same = (one: ToolView) => one.call === data.call && one.index === data.index;
  if (data.phase === "end") {
    const { ok, result, effect } = data;
    return tools.map((one) => (same(one) ? { ...one, ok, result, effect: effect ?? null } : one));
  }
  const { call, index, id, name } = data;
  const begun = { call, index, id, name, arguments: data.arguments };
  return [...tools.filter((one) => !same(one)), { ...begun, ok: null, result: "", effect: null }];
}

/** The pictures as they now are, each at the place where it was first wished. */
function withImage(images: TurnView["images"], data: TurnPayloads["image"]): TurnView["images"] {
  const known = images.some((one) => one.image === data.image);
  if (!known) return [...images, data];
  return images.map((one) => (one.image === data.image ? data : one));
}

function withPiece(pieces: Spoken, data: TurnPayloads["text"]): Spoken {
  const before = data.offset > 0 ? (pieces[data.call] ?? "") : "";
  return { ...pieces, [data.call]: splice(before, data.offset, data.text) };
}

/** What was there up to `offset` (UTF-16 code units, as strings here are), then the piece. An offset
 * that does not exist, or falls inside a character, cannot come from the log: the end of what is
 * known is the nearest honest place. */
function splice(before: string, offset: number, text: string): string {
  if (offset === 0) return text;
  if (offset > before.length || splitsPair(before, offset)) return before + text;
  return before.slice(0, offset) + text;
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** `text` with the recorded spans put in; throws for spans that do not fit it. */
function applySpans(text: string, spans: TurnPayloads["draft"]["edits"]): string {
  let at = 0;
  let made = "";
  for (const { start, end, text: added } of spans) {
    const [from, to] = [Number(start), Number(end)];
    if (!(at <= from && from <= to && to <= text.length)) throw new RangeError("spans do not fit");
    made += text.slice(at, from) + String(added);
    at = to;
  }
  return made + text.slice(at);
}
