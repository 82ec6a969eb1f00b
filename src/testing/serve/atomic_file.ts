import { open, readFile, rename, rm, stat } from "node:fs/promises";
import process from "node:process";

/** The maximum size of a file that {@linkcode readText} reads. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** The number of lines per write, so that a large state needs few writes and little memory. */
const LINES_PER_WRITE = 1000;

/**
 * Replaces the content of a file with `lines` atomically: writes them to a temporary file in the same folder, then
 * renames that. On an error the file stays unchanged. The file has mode 0600, so only its owner can read it.
 */
export async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const partial = `${path}.partial-${process.pid}`;
  try {
    const file = await open(partial, "w", 0o600);
    try {
      let batch: string[] = [];
      const flush = async () => {
        await file.writeFile(batch.join(""));
        batch = [];
      };
      for (const line of lines) {
        batch.push(`${line}\n`);
        if (batch.length >= LINES_PER_WRITE) await flush();
      }
      await flush();
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/**
 * Reads the text of a file; returns undefined if the file does not exist.
 *
 * @throws {RangeError} When the file is larger than 256 MiB.
 */
export async function readText(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) {
      throw new RangeError(`${path} is too large: ${size} bytes, the limit is ${MAX_FILE_BYTES}`);
    }
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}
