import { describeError, oneLine, visibleText } from "../../base/mod.ts";
import type { RequestLocation } from "./api_request.ts";
import { cleanCause } from "./clean_cause.ts";

/** The longest message of a runtime, in characters. It may contain a name from the server's certificate. */
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * Returns the error for a request without a complete response. Its message is a single line: the request, the message
 * of `cause`, which the runtime threw, and `more`.
 */
export function requestFailed(
  { method, url, redact }: RequestLocation,
  cause: unknown,
  more: string,
): Error {
  const { origin, pathname } = new URL(url);
  // Deno's prefix repeats the request.
  const message = redact(describeError(cause))
    .replace(/^fetch failed: error sending request (for url|from) [^)]*\): /, "");
  const shown = visibleText(oneLine(withoutPlaces(message)), MAX_MESSAGE_LENGTH);
  // It may repeat the message of the failure before.
  const rest = visibleText(redact(more), MAX_MESSAGE_LENGTH);
  return new Error(`${method} ${origin}${pathname} failed: ${shown}${rest}`, {
    cause: cleanCause(cause, redact),
  });
}

/** Returns the error for a body that broke off after its response: a watch, or a log. */
export function bodyFailed(
  what: "Watch" | "Log",
  { url, redact }: RequestLocation,
  cause: unknown,
): Error {
  const message = visibleText(redact(describeError(cause)), MAX_MESSAGE_LENGTH);
  return new Error(`${what} of ${url} broke off, connection closed: ${message}`, {
    cause: cleanCause(cause, redact),
  });
}

/**
 * Removes the thread and the place in the source from a message of OpenSSL, which is
 * `… THREAD:error:CODE:SSL routines:FUNCTION:REASON:FILE:LINE:`.
 */
function withoutPlaces(message: string): string {
  const parts = message.split(":");
  const at = parts.indexOf("SSL routines");
  if (at < 3 || parts[at - 2] !== "error" || !/^\d+$/.test(parts[at + 4] ?? "")) return message;
  const before = parts.slice(0, at - 2).join(":");
  const thread = before.lastIndexOf(" ") + 1;
  return before.slice(0, thread) + parts[at + 2] + parts.slice(at + 5).join(":");
}
