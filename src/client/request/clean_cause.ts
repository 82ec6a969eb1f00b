import type { Redact } from "../../base/mod.ts";

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
