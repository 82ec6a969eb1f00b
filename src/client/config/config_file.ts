import { describeError } from "../../base/mod.ts";
import type { ReadFile } from "./environment.ts";

/**
 * The text of a file that a configuration names.
 *
 * @throws {Error} When it cannot be read, naming what it is for.
 */
export async function readConfigFile(
  what: string,
  path: string,
  readFile: ReadFile,
): Promise<string> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Error(`Cannot read ${what}, "${path}": ${describeError(error)}`);
  }
}
