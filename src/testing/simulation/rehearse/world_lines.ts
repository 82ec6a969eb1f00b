import { isRecord, parseJson, textLines } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";

/** The maximum length of a line, in characters: far more than an object that a server stores. */
const MAX_LINE = 64 * 1024 * 1024;

/** The objects of a cluster, and what the file says about them. */
export interface WorldObjects {
  readonly objects: readonly KubeObject[];
  /** The version of the API server, as in `v1.37.2`; undefined if the world does not say it. */
  readonly kubernetes: string | undefined;
}

/**
 * The objects of a cluster: the path of a file of `kubeloop snapshot`; or its lines, or objects. Objects need an `apiVersion`
 * and a `kind`.
 */
export type RehearsalWorld =
  | string
  | Iterable<string | KubeObject>
  | AsyncIterable<string | KubeObject>;

/**
 * Reads a world. The file of an interrupted snapshot that was resumed may have the objects of a resource twice: the later
 * ones count.
 *
 * @throws {SyntaxError} If a line is not an object, or the snapshot is not complete.
 */
export async function readWorld(world: RehearsalWorld): Promise<WorldObjects> {
  const name = typeof world === "string" ? world : "the world";
  const lines = typeof world === "string" ? linesOf(world) : world;
  const given: KubeObject[] = [];
  /** The objects of each resource of a snapshot. */
  const listed = new Map<string, KubeObject[]>();
  let current = given;
  let kubernetes: string | undefined;
  let isComplete: boolean | undefined;
  /** The number of the last line that could not be read. */
  let broken: number | undefined;
  let number = 0;
  const refuse = (line: number, why: string): never => {
    throw new SyntaxError(`Cannot read ${name}: line ${line} ${why}`);
  };
  for await (const line of lines) {
    number++;
    if (typeof line === "string" && line.trim() === "") continue;
    const value = typeof line === "string" ? valueOf(line) : line;
    if (isRecord(value) && isRecord(value["snapshot"])) {
      const { complete, kubernetes: version, resource } = value["snapshot"];
      if (typeof version === "string") kubernetes = version;
      isComplete = complete === true && resource === undefined;
      if (typeof resource === "string" && complete !== true) {
        current = [];
        listed.set(resource, current);
      }
      broken = undefined;
      continue;
    }
    // An interrupted write leaves a part of a line. The resource is then listed again.
    if (broken !== undefined) refuse(broken, "is not JSON");
    if (value === undefined) broken = number;
    else if (isObject(value)) current.push(value);
    else refuse(number, "is not an object with apiVersion, kind and metadata.name");
  }
  if (isComplete === false) {
    throw new SyntaxError(
      `Cannot read ${name}: the snapshot is not complete: continue it with kubeloop snapshot --resume`,
    );
  }
  if (broken !== undefined) refuse(broken, "is not JSON");
  return { objects: [...given, ...[...listed.values()].flat()], kubernetes };
}

function valueOf(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is KubeObject {
  if (!isRecord(value)) return false;
  const { apiVersion, kind, metadata } = value;
  return typeof apiVersion === "string" && typeof kind === "string" && isRecord(metadata) &&
    typeof metadata["name"] === "string";
}

async function* linesOf(path: string): AsyncGenerator<string> {
  // A browser has no files: it gives lines or objects.
  const { createReadStream } = await import("node:fs");
  yield* textLines(path, createReadStream(path), MAX_LINE);
}
