import { describeError } from "../../base/mod.ts";
import type { RequestLocation } from "./api_request.ts";

/**
 * Returns the error for a request without a complete response. Its message is a single line: the request, the message
 * of `cause`, which the runtime threw, and `more`.
 */
export function requestFailed(
  { method, url }: RequestLocation,
  cause: unknown,
  more: string,
): Error {
  const { origin, pathname } = new URL(url);
  const message = describeError(cause)
    // Removes Deno's prefix, which repeats the request.
    .replace(/^fetch failed: error sending request (for url|from) [^)]*\): /, "")
    // Removes the thread and the source line from OpenSSL's messages.
    .replace(/[0-9A-F]+:error:[0-9A-F]+:SSL routines:[^:]*:([^:]+):[^:]*:\d+:/g, "$1")
    .replace(/\s*[\r\n]+\s*/g, " ")
    .trim();
  return new Error(`${method} ${origin}${pathname} failed: ${message}${more}`, { cause });
}
