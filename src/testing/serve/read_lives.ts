import { type PodLife, requireLives } from "../actors/mod.ts";
import { yamlToJson } from "../api_server/yaml/mod.ts";
import { readText } from "./read_file.ts";

/** The maximum size of a file of lives. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads a YAML or JSON file with a list of lives.
 *
 * @throws {SyntaxError} If the file does not exist, cannot be parsed, or contains something else. The message names the file
 * and the field.
 */
export async function readLives(path: string): Promise<readonly PodLife[]> {
  const text = await readText(path, MAX_FILE_BYTES);
  if (text === undefined) throw new SyntaxError(`Cannot read ${path}: no such file`);
  try {
    const { strict, value } = yamlToJson(text);
    // A field that is given twice.
    if (strict[0] !== undefined) throw new SyntaxError(strict[0]);
    return requireLives(value);
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new SyntaxError(`Cannot read ${path}: ${reason}`, { cause: error });
  }
}
