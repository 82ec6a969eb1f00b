/** What `catch` caught, as an `Error`, so that it has a message and a stack. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === "string" ? thrown : `Thrown value: ${textOf(thrown)}`);
}

/** The message of `thrown` and, after colons, those of its causes that say more. */
export function describeError(thrown: unknown): string {
  const parts: string[] = [];
  let current: unknown = thrown;
  // Eight causes deep is deeper than any runtime nests, and bounds a cycle.
  for (let depth = 0; depth < 8 && current !== undefined && current !== null; depth++) {
    const message = textOf(current);
    // Runtimes repeat a cause behind a colon; what has been said once is not said again with more words before it.
    const point = message.slice(message.lastIndexOf(": ") + 1).trim();
    // What fetch() says of every failure says nothing where more is known.
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
    // An object without a prototype, for one: whoever reports an error must not fail on it.
    return "something without a text";
  }
}
