import { RE2JS } from "re2js";

/** The maximum length of a pattern. The patterns of real definitions have at most about two thousand characters. */
const MAX_LENGTH = 10_000;

/** The maximum size of all compiled patterns that are kept. */
const MAX_CACHED_SIZE = 100_000;

/** The error for text that is not a pattern, with the message of Go. */
export class PatternError extends Error {
  /** Always `PatternError`. */
  override readonly name: string = "PatternError";
}

/** A compiled pattern in Go's syntax (RE2). It matches in a time that is linear in the length of the text. */
export class Pattern {
  readonly #compiled: RE2JS;
  /** The number of instructions of the compiled pattern: at most that many steps are made per character. */
  readonly size: number;

  /**
   * Compiles a pattern.
   *
   * @throws {PatternError} If `text` is not a valid pattern, or too long.
   */
  constructor(text: string) {
    if (text.length > MAX_LENGTH) {
      throw new PatternError("error parsing regexp: expression too large");
    }
    this.#compiled = compile(text);
    this.size = this.#compiled.programSize();
  }

  /** Reports whether a part of `text` matches. */
  matches(text: string): boolean {
    return this.#compiled.test(text);
  }

  /** Returns the first matching parts of `text`: at most `count`, without overlap. */
  find(text: string, count: number): string[] {
    const matcher = this.#compiled.matcher(text);
    const found: string[] = [];
    while (found.length < count && matcher.find()) found.push(matcher.group() ?? "");
    return found;
  }
}

function compile(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Go allows a name for two groups. Without their names, the groups match the same.
    const unnamed = text.replace(/\(\?P?<[A-Za-z0-9_]+>/g, "(");
    if (message.includes("duplicate capture group name") && unnamed !== text) {
      return compile(unnamed);
    }
    throw new PatternError(message.endsWith("`") ? message : `${message}: \`\``);
  }
}

/** The patterns that were compiled last, oldest first. */
const cache = new Map<string, Pattern>();
let cachedSize = 0;

/**
 * Returns a compiled pattern, which is kept for the next call.
 *
 * @throws {PatternError} If `text` is not a valid pattern.
 */
export function patternOf(text: string): Pattern {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const pattern = new Pattern(text);
  cache.set(text, pattern);
  cachedSize += pattern.size;
  for (const [oldest, { size }] of cache) {
    if (cachedSize <= MAX_CACHED_SIZE) break;
    cache.delete(oldest);
    cachedSize -= size;
  }
  return pattern;
}
