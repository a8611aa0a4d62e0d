/** A traced call taken apart: the pieces of its request with their texts, what was left out, what of it
 * belongs to which zone. Apart from what shows it, because the server tells much of it as plain JSON. */
import type { components } from "@/api/schema.gen";

export type CallItem = components["schemas"]["CallItem"];
type Row = Readonly<Record<string, unknown>>;

export type Zone = "tools" | "prefix" | "log" | "tail" | "turn";
export const ZONES: readonly Zone[] = ["tools", "prefix", "log", "tail", "turn"];

export interface Piece {
  key: string;
  zone: Zone;
  role: string;
  source: string;
  reason: string;
  /** About how many tokens: its part of what the whole request was counted for. */
  tokens: number;
  /** `null` where the provider's form of the request does not let it be cut out. */
  text: string | null;
}

export interface LeftOut {
  source: string;
  reason: string;
}

export interface Message {
  /** Its number in the request. */
  key: string;
  role: string;
  text: string;
}

export interface Call {
  item: CallItem;
  pieces: readonly Piece[];
  leftOut: readonly LeftOut[];
  volatile: readonly string[];
  messages: readonly Message[];
  zones: Readonly<Record<Zone, number>>;
  sent: number;
  cached: number | null;
}

const JOINT = "\n\n"; // between the pieces of a message

export function readCall(item: CallItem): Call {
  const body = parsed(item.request);
  const messages = messagesOf(body);
  const sent = numberOf(item.usage.prompt) ?? item.estimated_tokens;
  const rough = [...piecesOf(item.outline, messages), ...laterOf(item.outline, messages)];
  const tools = toolsOf(body);
  if (tools !== "") rough.unshift(piece("tools", "tools", "", "tools", tools, ""));
  const whole = rough.reduce((sum, one) => sum + one.weight, 0);
  const pieces = rough.map(({ weight, ...one }) => ({
    ...one,
    tokens: whole === 0 ? 0 : Math.round((sent * weight) / whole),
  }));
  const zones: Record<Zone, number> = { tools: 0, prefix: 0, log: 0, tail: 0, turn: 0 };
  for (const one of pieces) zones[one.zone] += one.tokens;
  return {
    item,
    pieces,
    leftOut: rowsOf(item.outline, "left_out").map(leftOut),
    volatile: item.outline.flatMap((row) => listOf(row.volatile)).map(String),
    messages,
    zones,
    sent,
    cached: numberOf(item.usage.cached),
  };
}

/** What a call said, as far as it is known. */
export function replyOf(item: CallItem): { text: string; thinking: string; calls: string[] } {
  const reply = item.reply ?? {};
  const calls = listOf(reply.calls).map(rowOf);
  return {
    text: textOf(reply.text),
    thinking: textOf(reply.thinking),
    calls: calls.map((call) => `${textOf(call.name)} ${textOf(call.arguments)}`),
  };
}

// ---- pieces ----

type Rough = Omit<Piece, "tokens"> & { weight: number };

function piece(
  key: string,
  zone: Zone,
  role: string,
  source: string,
  text: string,
  reason: string,
): Rough {
  return { key, zone, role, source, reason, text, weight: bytesOf(text) };
}

function piecesOf(outline: readonly Row[], messages: readonly Message[]): Rough[] {
  const rows = outline.filter((row) => "zone" in row);
  return rows.flatMap((row, at) => {
    const inside = listOf(row.pieces).map(rowOf);
    const texts = cut(
      messages[at]?.text ?? "",
      inside.map((one) => numberOf(one.chars) ?? 0),
    );
    return inside.map((one, number) => {
      const text = texts?.[number] ?? null;
      const rough = piece(
        `${at}.${number}`,
        zoneOf(row.zone),
        textOf(row.role),
        textOf(one.source),
        text ?? "",
        textOf(one.reason),
      );
      if (text !== null) return rough;
      return { ...rough, text: null, weight: 2 * (numberOf(one.chars) ?? 0) };
    });
  });
}

/** What the turn itself has added since its first call: calls of tools and their results. */
function laterOf(outline: readonly Row[], messages: readonly Message[]): Rough[] {
  const composed = outline.filter((row) => "zone" in row).length;
  return messages
    .slice(composed)
    .map(({ key, role, text }) => piece(`later.${key}`, "turn", role, role, text, ""));
}

/** A text cut into pieces of so many characters, as the server counts them; `null` where it is not made
 * of these pieces alone. */
function cut(text: string, sizes: readonly number[]): string[] | null {
  const characters = [...text];
  const wanted =
    sizes.reduce((sum, one) => sum + one, 0) + JOINT.length * Math.max(0, sizes.length - 1);
  if (characters.length !== wanted) return null;
  let start = 0;
  return sizes.map((size) => {
    const one = characters.slice(start, start + size).join("");
    start += size + JOINT.length;
    return one;
  });
}

// ---- the request ----

function messagesOf(body: Row): Message[] {
  const listed = listOf(body.messages)
    .map(rowOf)
    .map((one, at) => ({ key: `${at}`, role: textOf(one.role), text: contentOf(one) }));
  if (body.system === undefined) return listed;
  const system = { key: "system", role: "system", text: contentOf({ content: body.system }) };
  return [system, ...listed];
}

function contentOf(message: Row): string {
  const { content } = message;
  const text = Array.isArray(content) ? content.map(partOf).join("") : textOf(content);
  const calls = listOf(message.tool_calls).map((one) => {
    const called = rowOf(rowOf(one).function);
    return `${textOf(called.name)} ${textOf(called.arguments)}`;
  });
  return [text, ...calls].filter((one) => one !== "").join("\n");
}

function partOf(part: unknown): string {
  const one = rowOf(part);
  return typeof one.text === "string" ? one.text : JSON.stringify(part);
}

function toolsOf(body: Row): string {
  const tools = listOf(body.tools);
  return tools.length === 0 ? "" : JSON.stringify(tools, null, 1);
}

// ---- plain JSON ----

function parsed(text: string): Row {
  try {
    return rowOf(JSON.parse(text));
  } catch {
    return {}; // not JSON: it is still shown as it was sent
  }
}

function rowsOf(outline: readonly Row[], name: string): Row[] {
  return outline.flatMap((row) => listOf(row[name])).map(rowOf);
}

function leftOut(row: Row): LeftOut {
  return { source: textOf(row.source), reason: textOf(row.reason) };
}

function rowOf(value: unknown): Row {
  const is = typeof value === "object" && value !== null && !Array.isArray(value);
  return is ? (value as Row) : {}; // an object, whatever it holds
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function zoneOf(value: unknown): Zone {
  return value === "prefix" || value === "log" ? value : "tail";
}

const encoder = new TextEncoder();

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
