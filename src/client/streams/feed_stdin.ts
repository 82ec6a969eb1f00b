import { describeValue } from "../../base/mod.ts";
import type { StdinSource } from "./options.ts";

/** The parts of a source, and how to stop it. */
interface Source {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  stop(): Promise<unknown>;
}

/**
 * Sends a source to the standard input of a command and closes it. Stops the source when the command ends.
 *
 * @throws The error of the source.
 */
export async function feedStdin(
  stdin: WritableStream<Uint8Array>,
  given: StdinSource,
): Promise<void> {
  const writer = stdin.getWriter();
  const source = sourceOf(given);
  // After the end of the command, stdin has no reader. That is not an error of the source.
  let isOver = false;
  writer.closed.catch(() => {
    isOver = true;
    // A source that waits, for example for a key, must not wait after the command.
    source.stop().catch(() => {});
  });
  try {
    while (!isOver) {
      const { done, value } = await source.next();
      if (done || isOver) break;
      await writer.write(bytesOf(value));
    }
    await writer.close();
  } catch (error) {
    if (isOver) return;
    source.stop().catch(() => {});
    throw error;
  }
}

/**
 * Checks a source.
 *
 * @throws {TypeError} If it is none.
 */
export function requireSource(source: StdinSource): void {
  if (typeof source === "string" || source instanceof Uint8Array) return;
  if (typeof source === "object" && source !== null) {
    if (Symbol.asyncIterator in source || "getReader" in source) return;
  }
  throw new TypeError(
    `Invalid stdin: expected a string, bytes, an async iterable or a ReadableStream, received ${
      describeValue(source)
    }`,
  );
}

function sourceOf(source: StdinSource): Source {
  if (typeof source === "string" || source instanceof Uint8Array) {
    const parts: Iterator<string | Uint8Array> = [source].values();
    return { next: () => Promise.resolve(parts.next()), stop: () => Promise.resolve() };
  }
  if ("getReader" in source) {
    const reader = source.getReader();
    return { next: () => reader.read(), stop: () => reader.cancel() };
  }
  const iterator = source[Symbol.asyncIterator]();
  return { next: () => iterator.next(), stop: async () => await iterator.return?.() };
}

function bytesOf(part: unknown): Uint8Array {
  if (part instanceof Uint8Array) return part;
  if (typeof part === "string") return new TextEncoder().encode(part);
  throw new TypeError(
    `Invalid part of stdin: expected a string or bytes, received ${describeValue(part)}`,
  );
}
