import type { Redact } from "./safe_logger.ts";

/**
 * Returns what was thrown without the credentials of a client in its message. An error without credentials is returned
 * unchanged. Otherwise its causes are dropped, because they may repeat the credentials.
 *
 * @internal
 */
export function redactError(redact: Redact, thrown: unknown): unknown {
  if (typeof thrown === "string") return redact(thrown);
  if (!(thrown instanceof Error)) return thrown;
  const message = redact(thrown.message);
  if (message === thrown.message) return thrown;
  return thrown instanceof DOMException
    ? new DOMException(message, thrown.name)
    : new Error(message);
}
