/** What was spent, by currency, from millionths; apart because jobs and their nodes both tell it. */

export function spend(costs: readonly Readonly<Record<string, number>>[]): string {
  const sums = new Map<string, number>();
  for (const cost of costs) {
    for (const [currency, micros] of Object.entries(cost)) {
      sums.set(currency, (sums.get(currency) ?? 0) + micros);
    }
  }
  return [...sums]
    .map(([currency, micros]) => `${(micros / 1_000_000).toFixed(4)} ${currency}`)
    .join(" + ");
}
