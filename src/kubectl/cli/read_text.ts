import { createReadStream } from "node:fs";
import { textLines } from "@kubeloop/controller/internal/base";

/** The maximum size of an input, in bytes: more than ten times all definitions of a large cluster. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Returns the text of a file.
 *
 * @throws {Error} If the file does not exist, cannot be read or is too large.
 */
export async function readFile(path: string): Promise<string> {
  try {
    return await textOf(createReadStream(path));
  } catch (error) {
    throw new Error(`Cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Returns the lines of a file, which may be of any size.
 *
 * @throws {Error} If the file does not exist or cannot be read, or a line is too large.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  try {
    yield* textLines("it", createReadStream(path), MAX_BYTES);
  } catch (error) {
    throw new Error(`Cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Returns the text of standard input.
 *
 * @throws {Error} If it is too large.
 */
export async function readInput(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  try {
    return await textOf(input);
  } catch (error) {
    throw new Error(`Cannot read standard input: ${reasonOf(error)}`, { cause: error });
  }
}

async function textOf(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  for await (const chunk of input) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new RangeError(`it is larger than ${MAX_BYTES} bytes`);
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder, give the files in it";
  return String(message);
}
