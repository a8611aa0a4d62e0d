/** What was spent, added up by turn; apart from the panel because the chart and the list both read it. */
import type { components } from "@/api/schema.gen";
import { money } from "@/ui/amounts";

type Schemas = components["schemas"];

export type Spent = Schemas["SpentTold"];
export type Sum = Schemas["SumTold"];

export interface TurnSpent {
  turn: string;
  calls: number;
  prompt: number;
  cached: number;
  completion: number;
  /** Every known cost, by currency; empty where none is known. */
  cost: string;
}

/** One row for each turn, in the order of the calls. What belongs to no turn is not among them. */
export function turnsOf(items: readonly Spent[]): readonly TurnSpent[] {
  const byTurn = new Map<string, Spent[]>();
  for (const item of items) {
    if (item.turn === "") continue;
    const rows = byTurn.get(item.turn);
    if (rows === undefined) byTurn.set(item.turn, [item]);
    else rows.push(item);
  }
  return [...byTurn].map(([turn, rows]) => ({
    turn,
    calls: added(rows, "calls"),
    prompt: added(rows, "prompt"),
    cached: added(rows, "cached"),
    completion: added(rows, "completion"),
    cost: costs(rows),
  }));
}

function added(rows: readonly Spent[], name: "calls" | "prompt" | "cached" | "completion"): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}

function costs(rows: readonly Spent[]): string {
  const byCurrency = new Map<string, number>();
  for (const { cost } of rows) {
    if (cost === null) continue;
    byCurrency.set(cost.currency, (byCurrency.get(cost.currency) ?? 0) + cost.amount);
  }
  return [...byCurrency].map(([currency, much]) => money({ amount: much, currency })).join(" + ");
}
