import { describeError } from "../../base/mod.ts";
import type { ReadFile } from "./environment.ts";

/**
 * Returns the text of a file of a configuration.
 *
 * @param what The purpose of the file, for the error message.
 * @throws {Error} If the file cannot be read. The message contains `what` and the path.
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
