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
}

/** Replaces the content of the file with `state`: a header line, then one line per object. */
export function writeState(path: string, state: ServerState): Promise<void> {
  return writeLines(path, linesOf(state));
}

function* linesOf({ resourceVersion, objects }: ServerState): Generator<string> {
  const header: Header = {
    kind: "KubeloopState",
    version: 1,
    resourceVersion,
    objects: objects.length,
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
export async function readState(path: string): Promise<ServerState | undefined> {
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
      objects.push({ resource, text: JSON.stringify(object) });
    }
    if (header.objects !== objects.length) {
      throw damaged(path, `the file has ${objects.length} objects instead of ${header.objects}`);
    }
    return { resourceVersion: String(header.resourceVersion), objects };
  } catch (error) {
    throw error instanceof RangeError ? damaged(path, error.message) : error;
  } finally {
    await lines.return(undefined);
  }
}

function parseLine(path: string, line: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // The error below gives the line number.
  }
  throw damaged(path, `line ${number} is not a JSON object`);
}

function damaged(path: string, problem: string): SyntaxError {
  return new SyntaxError(
    `Cannot read the state in ${path}: ${problem}; the file was not changed: repair or move it, or choose another file`,
  );
}
