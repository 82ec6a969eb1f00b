import { encodeBase64 } from "../base/mod.ts";

/** The text that RFC 6455 appends to the key of a client. */
const ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Returns a new value of `Sec-WebSocket-Key`. */
export function newKey(): string {
  return encodeBase64(crypto.getRandomValues(new Uint8Array(16)));
}

/** Returns the `Sec-WebSocket-Accept` that answers `key`. */
export async function acceptKey(key: string): Promise<string> {
  const bytes = new TextEncoder().encode(key + ACCEPT_SUFFIX);
  return encodeBase64(new Uint8Array(await crypto.subtle.digest("SHA-1", bytes)));
}
