/** A refusal of the server, or the want of a server, as one kind of error; apart from the client so
 * that what shows errors need not know how requests are made. */
import type { Problem } from "./types";

/** `code` is stable; `detail` says what happened, `hint` what to do, both in the server's English.
 * Without a server the code is `unreachable` and the status 0. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly hint: string;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(problem: Partial<Problem>, status: number) {
    super(problem.detail ?? `The server answered ${status}.`);
    this.name = "Refusal";
    this.status = status;
    this.code = problem.code ?? `http_${status}`;
    this.detail = this.message;
    this.hint = problem.hint ?? "";
    this.facts = problem;
  }

  /** Whether asking again may help: nobody answered, or the server itself failed. */
  get passing(): boolean {
    return this.status === 0 || this.status >= 502;
  }
}

export function unreachable(): Refusal {
  return new Refusal({ code: "unreachable", detail: "The server cannot be reached." }, 0);
}

/** Any error as a refusal; what is not one has the code `unexpected`. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new Refusal({ code: "unexpected", detail }, -1);
}
