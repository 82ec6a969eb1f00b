import { describeError, oneLine, type Redact, visibleText } from "../../base/mod.ts";
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

/** The properties in which Node's parser errors have the raw answer, or a part of it. */
const RAW_ANSWER: readonly string[] = ["data", "rawPacket"];

/**
 * Removes what a server has sent from an error of the runtime and its causes, in place: Node's parser errors have the
 * raw answer, in which a server may repeat the request with its credentials. A log of the error would show them.
 *
 * @returns The same error.
 */
export function cleanCause(cause: unknown, redact: Redact): unknown {
  let current = cause;
  // No runtime nests eight causes.
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    clean(current, redact);
    current = current.cause;
  }
  return cause;
}

function clean(error: Error, redact: Redact): void {
  for (const key of Object.getOwnPropertyNames(error)) {
    const property = Object.getOwnPropertyDescriptor(error, key);
    const value: unknown = property?.value;
    try {
      if (RAW_ANSWER.includes(key)) {
        delete (error as unknown as Record<string, unknown>)[key];
      } else if (typeof value === "string" && redact(value) !== value) {
        Object.defineProperty(error, key, { ...property, value: redact(value) });
      }
    } catch {
      // A frozen error. Runtimes have none, and the message of the error around it is redacted.
    }
  }
}
