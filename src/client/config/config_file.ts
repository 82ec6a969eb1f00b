import { describeError } from "../../base/mod.ts";
import type { ReadFile } from "./environment.ts";
import { showPath } from "./shown.ts";

/**
 * Returns the text of a file of a configuration.
 *
 * @param what The purpose of the file, for the error message.
 * @throws {Error} If the file cannot be read. The message contains `what` and the path, unless it may be a credential.
 */
export async function readConfigFile(
  what: string,
  path: string,
  readFile: ReadFile,
  signal?: AbortSignal,
): Promise<string> {
  try {
    return await readFile(path, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    const shown = showPath(path);
    throw new Error(`Cannot read ${what}, ${shown}: ${readFailure(path, shown, error)}`);
  }
}

/**
 * Returns the reason why the file at `path` cannot be read. The message of the runtime repeats the path, so it is only
 * in the reason if all of the path is shown.
 */
export function readFailure(path: string, shown: string, error: unknown): string {
  if (shown === `"${path}"`) return describeError(error);
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  const known = typeof code === "string" && /^E[A-Z]{2,20}$/.test(code) ? `${code}, ` : "";
  return `${known}expected the path of a file, not what belongs in the file`;
}

/** The reason why a source has no configuration. The next source is then tried. */
export interface NotFound {
  /** The place and the problem, for an error message. */
  readonly missing: string;
  /** Whether it is probably a mistake, which is worth a warning if the next source has a configuration. */
  readonly isMistake?: boolean;
}
