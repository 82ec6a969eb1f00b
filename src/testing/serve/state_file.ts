import { parseJson, stringifyJson } from "@kubeloop/controller/internal/base";
import type { ServerState, StateObject } from "../api_server/mod.ts";
import { writeLines } from "./atomic_file.ts";
import { readLines } from "./read_file.ts";

/** The maximum length of a line. The largest objects that a server accepts are well below it. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024;

/** The first line of a state file: its kind and version, the resource version, and the number of objects. */
interface Header {
  readonly kind: "KubeloopState";
  readonly version: 1;
  readonly resourceVersion: string;
  readonly objects: number;
  /** The number of the first file of the log that continues from this state; undefined if the server has ended. */
  readonly log?: number;
}

/** The content of a state file. */
export interface Snapshot {
  readonly state: ServerState;
  /** The number of the first file of the log that continues from the state; undefined without one. */
  readonly log: number | undefined;
}

/**
 * Replaces the content of the file with `state`: a header line, then one line per object.
 *
 * @param log The number of the first file of the log that continues from the state.
 * @returns The number of characters written.
 */
export function writeState(path: string, state: ServerState, log?: number): Promise<number> {
  return writeLines(path, linesOf(state, log));
}

function* linesOf({ resourceVersion, objects }: ServerState, log?: number): Generator<string> {
  const header: Header = {
    kind: "KubeloopState",
    version: 1,
    resourceVersion,
    objects: objects.length,
    ...(log === undefined ? {} : { log }),
  };
  yield JSON.stringify(header);
  for (const { resource, text } of objects) {
    yield `{"resource":${JSON.stringify(resource)},"object":${text}}`;
  }
}

/**
 * Reads a state file; returns undefined if the file does not exist.
 *
 * @throws {SyntaxError} When the file is damaged, truncated, or not a state file.
 */
export async function readState(path: string): Promise<Snapshot | undefined> {
  const lines = await readLines(path, MAX_LINE_LENGTH);
  if (lines === undefined) return undefined;
  try {
    const first = await lines.next();
    const header = parseLine(path, first.value ?? "", 1) as Partial<Header>;
    if (header.kind !== "KubeloopState") throw damaged(path, "the file is not a saved state");
    if (header.version !== 1) {
      throw damaged(path, `version ${header.version} is not supported, only version 1`);
    }
    const objects: StateObject[] = [];
    for await (const line of lines) {
      const { resource, object } = parseLine(path, line, objects.length + 2);
      if (typeof resource !== "string" || typeof object !== "object") {
        throw damaged(path, `line ${objects.length + 2} contains no object`);
      }
      objects.push({ resource, text: stringifyJson(object) });
    }
    if (header.objects !== objects.length) {
      throw damaged(path, `the file has ${objects.length} objects instead of ${header.objects}`);
    }
    const state = { resourceVersion: String(header.resourceVersion), objects };
    return { state, log: header.log };
  } catch (error) {
    throw error instanceof RangeError ? damaged(path, error.message) : error;
  } finally {
    await lines.return(undefined);
  }
}

function parseLine(path: string, line: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = parseJson(line);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // The error below gives the line number.
  }
  throw damaged(path, `line ${number} is not a JSON object`);
}

/** Returns the error for a file that cannot be read. `remedy` says what the user can do. */
export function damaged(
  path: string,
  problem: string,
  { remedy = "repair or move it, or choose another file" }: { readonly remedy?: string } = {},
): SyntaxError {
  return new SyntaxError(
    `Cannot read the state in ${path}: ${problem}; the file was not changed: ${remedy}`,
  );
}
