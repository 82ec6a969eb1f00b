import { open, readFile, rename, rm, stat } from "node:fs/promises";
import process from "node:process";

/** The most a file may have that is read whole. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Lines that are joined before they are written, so that a large state takes few writes and little memory. */
const LINES_PER_WRITE = 1000;

/**
 * Replaces a file by `lines`, or leaves it as it was: they are written beside it, and moved into its place. Only its
 * owner may read it.
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
 * The text of a file; undefined when there is none.
 *
 * @throws {RangeError} When it has more than 256 MiB.
 */
export async function readText(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) {
      throw new RangeError(`${path} has ${size} bytes; at most ${MAX_FILE_BYTES} are read`);
    }
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}
