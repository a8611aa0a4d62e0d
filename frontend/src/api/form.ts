/** A form with a file as an answer of the API; apart from the client, which makes no forms. */
import { Refusal, unreachable } from "./problem";

/** The body of the answer; throws a `Refusal` as the client does. */
export async function sendFile(address: string, file: File): Promise<unknown> {
  const form = new FormData();
  form.append("file", file, file.name);
  let answer: Response;
  try {
    answer = await fetch(address, { method: "POST", body: form });
  } catch {
    throw unreachable();
  }
  const body: unknown = await answer.json().catch(() => ({}));
  if (answer.ok) return body;
  throw new Refusal(typeof body === "object" && body !== null ? body : {}, answer.status);
}
