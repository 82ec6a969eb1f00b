import { describeError } from "../../base/mod.ts";
import type { RequestLocation } from "./api_request.ts";

/**
 * The error for a request that got no answer, or only a part of one: in one line, what failed, and after it `more`.
 * `cause` is what the runtime threw.
 */
export function requestFailed(
  { method, url }: RequestLocation,
  cause: unknown,
  more: string,
): Error {
  const { origin, pathname } = new URL(url);
  const message = describeError(cause)
    // What Deno puts before the reason is what this puts before it.
    .replace(/^fetch failed: error sending request (for url|from) [^)]*\): /, "")
    // OpenSSL says in which thread and in which line of its source, too.
    .replace(/[0-9A-F]+:error:[0-9A-F]+:SSL routines:[^:]*:([^:]+):[^:]*:\d+:/g, "$1")
    .replace(/\s*[\r\n]+\s*/g, " ")
    .trim();
  return new Error(`${method} ${origin}${pathname} failed: ${message}${more}`, { cause });
}
