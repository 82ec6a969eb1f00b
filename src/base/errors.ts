/** Returns a caught value as an `Error`, so that it has a message and a stack. An `Error` is returned as it is. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === "string" ? thrown : `Thrown value: ${textOf(thrown)}`);
}

/** Returns the message of `thrown`, and after colons the messages of its causes that add something. */
export function describeError(thrown: unknown): string {
  const parts: string[] = [];
  let current: unknown = thrown;
  // No runtime nests eight causes. The limit also ends a cycle of causes.
  for (let depth = 0; depth < 8 && current !== undefined && current !== null; depth++) {
    const message = textOf(current);
    // Runtimes repeat the message of a cause after other words and a colon. Such a message adds nothing new.
    const point = message.slice(message.lastIndexOf(": ") + 1).trim();
    // The message of `fetch` for every failure: it adds nothing to a more specific message.
    const saysNothing = parts.length > 0 && point === "fetch failed";
    if (!saysNothing && !parts.some((part) => part.includes(point))) parts.push(message);
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join(": ");
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message || thrown.name : thrown);
  } catch {
    // For example an object without a prototype. Reporting an error must not throw another one.
    return "(no string representation)";
  }
}
