/** The text of a plan as its sections and lines, and which lines are secret. Pure. */

export interface Section {
  heading: string;
  lines: string[];
}

const SECRET = /[[［【〖]\s*(?:secret|秘密|机密)\s*(?:[:：][^\]］】〗]*)?[\]］】〗]/i;

/** The lines under each heading; what stands before the first heading is the first section's. */
export function sectionsOf(state: string, headings: readonly string[]): Section[] {
  const found = headings.map((heading): Section => ({ heading, lines: [] }));
  let current = found[0];
  for (const raw of state.split(/\r?\n/)) {
    const line = raw.trimEnd();
    const next = found.find((one) => one.heading === line);
    if (next !== undefined) current = next;
    else if (line.trim() !== "") current?.lines.push(line);
  }
  return found;
}

/** Whether a line is kept from the writer, so that it stays folded for the reader too. */
export function isSecret(line: string): boolean {
  return SECRET.test(line);
}
