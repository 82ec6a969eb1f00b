import { describeError, visibleText } from "../../base/mod.ts";
import type { RequestLocation } from "./api_request.ts";

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
  const message = redact(describeError(cause))
    // Removes Deno's prefix, which repeats the request.
    .replace(/^fetch failed: error sending request (for url|from) [^)]*\): /, "")
    // Removes the thread and the source line from OpenSSL's messages.
    .replace(/[0-9A-F]+:error:[0-9A-F]+:SSL routines:[^:]*:([^:]+):[^:]*:\d+:/g, "$1")
    .replace(/\s*[\r\n]+\s*/g, " ")
    .trim();
  const shown = visibleText(message, MAX_MESSAGE_LENGTH);
  return new Error(`${method} ${origin}${pathname} failed: ${shown}${more}`, { cause });
}
