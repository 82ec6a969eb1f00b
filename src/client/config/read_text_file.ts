import { abortable, realClock, withTimeLimit } from "../../base/mod.ts";
import type { ReadFile } from "./environment.ts";

/** The time limit for one file. A program that writes to a pipe may first ask its user for a password. */
const MAX_FILE_MS = 30_000;

/**
 * Reads a text file from the disk, on every runtime, within limits of size and time. The file may be a pipe, as in
 * `--kubeconfig <(decrypt …)`.
 *
 * A pipe is opened without blocking. Otherwise, it would block a thread until a program writes to it, despite the
 * time limit and the end of this program.
 */
export const readTextFile: ReadFile = async (path, { signal } = {}) => {
  const late = () => new Error(`no content within ${MAX_FILE_MS / 1000} s`);
  return await withTimeLimit(
    { clock: realClock, signal, limitMs: MAX_FILE_MS, late },
    // abortable() stops waiting also for a file system that does not answer.
    (signal) => abortable(read(path, signal), signal),
  );
};

/** Imported only for files, so that a bundle for browsers does not have it. */
async function read(path: string, signal: AbortSignal): Promise<string> {
  return await (await import("./read_whole_file.ts")).readWholeFile(path, signal);
}
