/** Returns a caught value as an `Error`, so that it has a message and a stack. An `Error` is returned unchanged. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === "string" ? thrown : `Thrown value: ${textOf(thrown)}`);
}

/** The deepest cause that a description has. No runtime nests eight. The limit also ends a cycle of causes. */
const MAX_CAUSES = 8;

/** The most errors of an `AggregateError` that a description has. */
const MAX_ERRORS = 4;

/**
 * Returns the message of `thrown`, and after colons the messages of its causes that add something. The messages of an
 * `AggregateError` are separated by semicolons.
 */
export function describeError(thrown: unknown): string {
  const parts: string[] = [];
  let current: unknown = thrown;
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined && current !== null; depth++) {
    const message = messageOf(current);
    // The message of `fetch` for every failure: it adds nothing to a more specific message.
    const saysNothing = parts.length > 0 && /(^|: )fetch failed$/.test(message);
    if (!saysNothing && !parts.some((part) => isRepeated(message, part))) parts.push(message);
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join(": ");
}

function messageOf(thrown: unknown): string {
  const errors: unknown = thrown instanceof Error ? (thrown as AggregateError).errors : undefined;
  if (!Array.isArray(errors) || errors.length === 0) return textOf(thrown);
  // Without recursion: an AggregateError may contain itself.
  const shown = errors.slice(0, MAX_ERRORS).map(textOf);
  const more = errors.length - shown.length;
  if (more > 0) shown.push(`${more} more`);
  const { message } = thrown as Error;
  return (message === "" ? "" : `${textOf(thrown)}: `) + shown.join("; ");
}

/** The end of a message that is long enough to be recognized in another one. */
const MIN_END = 8;

/**
 * Reports whether `part` has a message as words of its own. Runtimes put other words and a colon before the message of
 * a cause, so what follows the last colon is enough, if it is not a single short word.
 */
function isRepeated(message: string, part: string): boolean {
  if (message === part || hasWords(part, message)) return true;
  const end = message.slice(message.lastIndexOf(": ") + 1).trim();
  return end.length >= MIN_END && hasWords(part, end);
}

/** The longest message in which another one is searched. */
const MAX_SEARCHED = 10_000;

/** Reports whether a text has these words, and not only as a part of longer ones. A number alone tells nothing. */
function hasWords(text: string, words: string): boolean {
  if (text.length > MAX_SEARCHED || !/\p{L}/u.test(words)) return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!isInWord(text, at) && !isInWord(text, at + words.length)) return true;
  }
  return false;
}

/** Reports whether letters or digits are on both sides of a position. */
function isInWord(text: string, at: number): boolean {
  return /^[\p{L}\p{N}_]{2}$/u.test(text.slice(Math.max(0, at - 1), at + 1));
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message || thrown.name : thrown);
  } catch {
    // For example an object without a prototype. Reporting an error must not throw another one.
    return "(no string representation)";
  }
}
