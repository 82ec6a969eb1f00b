import type { ServerState, StateObject } from "../api_server/mod.ts";
import { readText, writeLines } from "./atomic_file.ts";

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
  const text = await readText(path);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  // The last line ends with a newline, so the last part is empty.
  if (lines[lines.length - 1] === "") lines.pop();
  const header = parseLine(path, lines, 0) as Partial<Header>;
  if (header.kind !== "KubeloopState") throw damaged(path, "the file is not a saved state");
  if (header.version !== 1) {
    throw damaged(path, `version ${header.version} is not supported, only version 1`);
  }
  if (header.objects !== lines.length - 1) {
    throw damaged(path, `the file has ${lines.length - 1} objects instead of ${header.objects}`);
  }
  const objects = lines.slice(1).map((_, index): StateObject => {
    const { resource, object } = parseLine(path, lines, index + 1);
    if (typeof resource !== "string" || typeof object !== "object") {
      throw damaged(path, `line ${index + 2} contains no object`);
    }
    return { resource, text: JSON.stringify(object) };
  });
  return { resourceVersion: String(header.resourceVersion), objects };
}

function parseLine(path: string, lines: readonly string[], index: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(lines[index] ?? "");
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // The error below gives the line number.
  }
  throw damaged(path, `line ${index + 1} is not a JSON object`);
}

function damaged(path: string, problem: string): SyntaxError {
  return new SyntaxError(
    `Cannot read the state in ${path}: ${problem}; the file was not changed: repair or move it, or choose another file`,
  );
}
