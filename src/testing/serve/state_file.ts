import type { ServerState, StateObject } from "../api_server/mod.ts";
import { readText, writeLines } from "./atomic_file.ts";

/** The first line of a state file: what it is, and how many lines belong to it. */
interface Header {
  readonly kind: "KubeloopState";
  readonly version: 1;
  readonly resourceVersion: string;
  readonly objects: number;
}

/** Replaces the file by `state`: a line that says what it is, then a line for each object. */
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
 * Reads the file; undefined when there is none.
 *
 * @throws {SyntaxError} When it is damaged, cut off, or something else.
 */
export async function readState(path: string): Promise<ServerState | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  // The newline at the end of the last line.
  if (lines[lines.length - 1] === "") lines.pop();
  const header = parseLine(path, lines, 0) as Partial<Header>;
  if (header.kind !== "KubeloopState") throw damaged(path, "it is not a saved state");
  if (header.version !== 1) {
    throw damaged(path, `it has version ${header.version}, and only 1 is known`);
  }
  if (header.objects !== lines.length - 1) {
    throw damaged(path, `it has ${lines.length - 1} objects instead of ${header.objects}`);
  }
  const objects = lines.slice(1).map((_, index): StateObject => {
    const { resource, object } = parseLine(path, lines, index + 1);
    if (typeof resource !== "string" || typeof object !== "object") {
      throw damaged(path, `line ${index + 2} holds no object`);
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
    // Told below, with the number of the line.
  }
  throw damaged(path, `line ${index + 1} is not a JSON object`);
}

function damaged(path: string, problem: string): SyntaxError {
  return new SyntaxError(
    `Cannot read the state in ${path}: ${problem}; it is left as it is, so repair it, move it away or choose another file`,
  );
}
