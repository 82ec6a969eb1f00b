import { ByteParts, textLines } from "@kubeloop/controller/internal/base";
import { constants, type FileHandle, lstat, open } from "node:fs/promises";

const CHUNK_BYTES = 1024 * 1024;

/** The flag with which a link is not opened. Windows has no such flag, and links only for administrators. */
export const NO_FOLLOW: number = constants.O_NOFOLLOW ?? 0;

/**
 * Reads the text of a file; returns undefined if the file does not exist.
 *
 * @throws {RangeError} When the file is longer than `maxBytes`.
 * @throws {TypeError} When it is not a regular file: a device or a pipe may never end.
 */
export async function readText(path: string, maxBytes: number): Promise<string | undefined> {
  const file = await openRegular(path);
  return file && new TextDecoder().decode(await bytesOf(path, file, maxBytes));
}

/**
 * Reads the bytes of a file that is not a link; returns undefined if the file does not exist.
 *
 * @throws {RangeError} When the file is longer than `maxBytes`.
 * @throws {TypeError} When it is not a regular file, or is a symbolic link.
 */
export async function readBytes(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const file = await openRegular(path, NO_FOLLOW);
  return file && bytesOf(path, file, maxBytes);
}

async function bytesOf(path: string, file: FileHandle, maxBytes: number): Promise<Uint8Array> {
  const bytes = new ByteParts();
  // The size is counted, because a file may grow meanwhile.
  for await (const chunk of chunksOf(file)) {
    if (bytes.length + chunk.length > maxBytes) {
      throw new RangeError(`${path} is too large: the limit is ${maxBytes} bytes`);
    }
    bytes.push(chunk);
  }
  return bytes.join();
}

/**
 * Reads a file of any size line by line; returns undefined if the file does not exist. An empty last line is left out.
 *
 * @throws {RangeError} When a line is longer than `maxLength` characters.
 * @throws {TypeError} When it is not a regular file.
 */
export async function readLines(
  path: string,
  maxLength: number,
): Promise<AsyncGenerator<string> | undefined> {
  const file = await openRegular(path);
  return file === undefined ? undefined : textLines(path, chunksOf(file), maxLength);
}

/** Reads the file to its end, and closes it. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    while (true) {
      const chunk = new Uint8Array(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function openRegular(path: string, flags: number = 0): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    // To open a pipe would wait for its writer. Windows has no such flag.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP" && flags !== 0) throw linkError(path);
    throw error;
  }
  let what: string;
  try {
    // With rights for some files only, Deno follows a link before it passes the flags on.
    if (flags !== 0 && (await lstat(path)).isSymbolicLink()) throw linkError(path);
    const stats = await file.stat();
    if (stats.isFile()) return file;
    what = stats.isDirectory() ? "a folder" : stats.isFIFO() ? "a pipe" : "a device";
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  throw new TypeError(`${path} is ${what}, not a file`);
}

function linkError(path: string): TypeError {
  return new TypeError(`${path} is a link, not a file`);
}
