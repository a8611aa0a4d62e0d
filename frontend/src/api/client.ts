/** The typed client of the HTTP API: one instance, one way in which a request fails. */
import createClient from "openapi-fetch";
import { Refusal, unreachable } from "./problem";
import type { Problem, paths } from "./types";

export const api = createClient<paths>({ baseUrl: location.origin });

interface Answered<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of an answer; throws a `Refusal` for a problem and for a server that is not there.
 * Write `told(api.GET("/api/projects"))`. */
export async function told<T>(asked: Promise<Answered<T>>): Promise<T> {
  let answer: Answered<T>;
  try {
    answer = await asked;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable();
  }
  if (answer.response.ok) return answer.data as T; // a 204 has no body and its T says so
  throw new Refusal(problemOf(answer.error), answer.response.status);
}

function problemOf(error: unknown): Partial<Problem> {
  return typeof error === "object" && error !== null ? error : {};
}
