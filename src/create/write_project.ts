import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Files of a folder that are not in the way of a project. */
const HARMLESS: ReadonlySet<string> = new Set([".git", ".DS_Store"]);

/**
 * Writes the files of a project into a new or empty folder. No existing file is ever overwritten.
 *
 * @throws {Error} If the folder has files, or cannot be written.
 */
export async function writeProject(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw new Error(`Cannot make the folder ${folder}: ${error.code ?? error}`, { cause: error });
  });
  const present = (await readdir(folder)).filter((name) => !HARMLESS.has(name));
  if (present.length > 0) {
    throw new Error(
      `The folder ${folder} is not empty (it has ${
        present[0]
      }): name another, so that nothing is overwritten`,
    );
  }
  for (const [path, text] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    // A file that another process has written in between is an error.
    await writeFile(file, text, { flag: "wx" });
  }
}
