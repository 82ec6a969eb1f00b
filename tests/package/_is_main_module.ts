/**
 * `import.meta.main` for runtimes without it. It applies to the file that this module is bundled into.
 *
 * @module
 */

import { realpathSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

function isStartedFile(): boolean {
  const [, started] = process.argv;
  try {
    // npm starts programs through symbolic links.
    return started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url);
  } catch {
    return false;
  }
}

/** Whether the file that contains this module was started, not imported. */
export const isMainModule: boolean = isStartedFile();
