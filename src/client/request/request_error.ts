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
    .replace(/\s*[\r\n]+\s*/g, " ");
  return new Error(`${method} ${origin}${pathname} failed: ${message}${more}`, { cause });
}
