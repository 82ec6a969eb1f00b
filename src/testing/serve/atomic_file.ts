import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

/** The number of characters per write, so that a large state needs few writes and little memory. */
const WRITE_LENGTH = 1024 * 1024;

/**
 * Replaces the content of a file with `lines` atomically: writes them to a temporary file in the same folder, then
 * renames that. On an error the file stays unchanged. The file has mode 0600, so only its owner can read it.
 *
 * The temporary file is always a new one with a name that cannot be guessed: in a folder that others can write to, such as
 * /tmp, a link of that name would otherwise send the content elsewhere.
 *
 * @returns The number of characters written.
 */
export async function writeLines(path: string, lines: Iterable<string>): Promise<number> {
  const partial = `${path}.partial-${randomBytes(12).toString("hex")}`;
  // "wx" fails if the name exists, and does not follow a link.
  const file = await open(partial, "wx", 0o600);
  try {
    let length = 0;
    try {
      let batch = "";
      for (const line of lines) {
        batch += `${line}\n`;
        length += line.length + 1;
        if (batch.length < WRITE_LENGTH) continue;
        await file.writeFile(batch);
        batch = "";
      }
      await file.writeFile(batch);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
    return length;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
