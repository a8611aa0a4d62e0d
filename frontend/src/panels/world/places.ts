/** Places of the ledger: how they are spelled, locked and patched. Pure, apart from what asks the server. */
import type { paths } from "@/api/types";

type Ledger = paths["/api/projects/{project_id}/ledger"];
type Edit = Ledger["patch"]["requestBody"]["content"]["application/json"];
export type Patch = NonNullable<Edit["patch"]>;
export type Path = readonly string[];

export const FIELDS = ["affinity", "status", "location", "notes"] as const;

/** The patch that puts `value` at a path. */
export function patchAt(path: Path, value: Patch[string]): Patch {
  return path.reduceRight<Patch[string]>((inner, part) => ({ [part]: inner }), value) as Patch;
}

/** A path as the server spells it: a character whose name reads as more than a name has a dot at its
 * end. */
export function dotted(path: Path): string {
  const spelling = path.join(".");
  if (path.length !== 2 || path[0] !== "characters") return spelling;
  const name = path[1] ?? "";
  const last = name.split(".").at(-1) ?? "";
  const reads = name.includes(".") && (last === "" || FIELDS.some((one) => one === last));
  return reads ? `${spelling}.` : spelling;
}

/** What locks a path: itself, or what it is part of. */
export function lockOf(path: Path, locked: readonly string[]): string | null {
  for (let end = path.length; end > 0; end -= 1) {
    const spelling = dotted(path.slice(0, end));
    if (locked.includes(spelling)) return spelling;
  }
  return null;
}
