/** The nonce of this request, which every style sheet made by a script must bear. */
import { setNonce } from "get-nonce";

const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');

/** Given to Mantine (`getStyleNonce`) and to CodeMirror (`EditorView.cspNonce`). */
export const nonce: string = meta?.nonce ?? "";

/** For libraries that ask `get-nonce`. */
export function startNonce(): void {
  if (nonce !== "") setNonce(nonce);
}
