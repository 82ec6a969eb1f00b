/**
 * `import.meta.main` for runtimes that do not have it, in the file that it is bundled into.
 *
 * @module
 */

import { realpathSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

function isStartedFile(): boolean {
  const [, started] = process.argv;
  try {
    // npm starts programs by symbolic links.
    return started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url);
  } catch {
    return false;
  }
}

/** Whether the file that this is bundled into was started, not imported. */
export const isMainModule: boolean = isStartedFile();
