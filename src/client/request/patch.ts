import { describeValue, isRecord, stringifyJson } from "../../base/mod.ts";
import type { KubeObject, MergePatch, StrategicMergePatch } from "../../types/mod.ts";
import { showValue } from "../config/mod.ts";

/**
 * An operation of a JSON patch (RFC 6902). Paths are JSON pointers such as `/metadata/labels/app`, with `~1` for a
 * slash.
 */
export type JsonPatchOperation =
  | {
    /** Adds or replaces the value at `path`, or requires that it equals `value` (`test`). */
    readonly op: "add" | "replace" | "test";
    /** The JSON pointer of the value. */
    readonly path: string;
    /** The value. It may be null, but not undefined. */
    readonly value: unknown;
  }
  | {
    /** Removes the value at `path`. */
    readonly op: "remove";
    /** The JSON pointer of the value. */
    readonly path: string;
  }
  | {
    /** Moves or copies the value at `from` to `path`. */
    readonly op: "move" | "copy";
    /** The JSON pointer of the source. */
    readonly from: string;
    /** The JSON pointer of the target. */
    readonly path: string;
  };

/**
 * The patches of `Client.patch`, by type.
 *
 * @typeParam T The interface of the object.
 */
export interface Patches<T extends KubeObject> {
  /** A JSON merge patch (RFC 7396). All resources support it. */
  readonly merge: MergePatch<T>;
  /** A strategic merge patch, which merges lists by key. Only built-in kinds support it. */
  readonly strategic: StrategicMergePatch<T>;
  /** A JSON patch (RFC 6902): operations that the server applies in order. */
  readonly json: readonly JsonPatchOperation[];
}

/** The type of a patch: `merge`, `strategic` or `json`. See {@linkcode Patches}. */
export type PatchType = "merge" | "strategic" | "json";

/** The content types of patches. The server answers 415 to any other type. */
const CONTENT_TYPES: Readonly<Record<PatchType, string>> = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

/**
 * The content type of server-side apply. The body is JSON, which is valid YAML. Servers before 1.34 accept only this
 * type.
 */
export const APPLY_CONTENT_TYPE = "application/apply-patch+yaml";

/**
 * Returns a patch as the body of a request, and its content type.
 *
 * @throws {TypeError} If the type is unknown, the patch does not match the type, or an operation is incomplete.
 */
export function patchBody(
  patch: unknown,
  type: PatchType = "merge",
): { readonly body: string; readonly contentType: string } {
  if (typeof type !== "string" || !Object.hasOwn(CONTENT_TYPES, type)) {
    const received = showValue(type);
    throw new TypeError(
      `Invalid type of patch: expected "merge", "strategic" or "json", received ${received}` +
        (received === '"apply"' ? "; for server-side apply, call Client.apply()" : ""),
    );
  }
  if (type === "json") requireOperations(patch);
  else if (!isRecord(patch)) {
    throw new TypeError(
      `Invalid patch of type "${type}": expected an object, received ${describeValue(patch)}` +
        (Array.isArray(patch) ? '; for an array of operations, give type "json"' : ""),
    );
  }
  return { body: stringifyJson(patch), contentType: CONTENT_TYPES[type] };
}

const OPERATIONS = ["add", "replace", "test", "remove", "move", "copy"];

function requireOperations(patch: unknown): void {
  if (!Array.isArray(patch)) {
    throw new TypeError(
      `Invalid patch of type "json": expected an array of operations, received ${
        describeValue(patch)
      }`,
    );
  }
  for (const [index, operation] of patch.entries()) {
    const flaw = flawOf(operation);
    if (flaw !== undefined) throw new TypeError(`Invalid operation ${index} of the patch: ${flaw}`);
  }
}

/**
 * Returns the error in an operation, or undefined if it is valid. An operation without its value is an error, because
 * the server would store null.
 */
function flawOf(operation: unknown): string | undefined {
  if (!isRecord(operation)) return `expected an object, received ${describeValue(operation)}`;
  const { op, path, from, value } = operation;
  if (typeof op !== "string" || !OPERATIONS.includes(op)) {
    return `op is ${showValue(op)}, expected one of ${OPERATIONS.join(", ")}`;
  }
  const isMove = op === "move" || op === "copy";
  for (const [name, pointer] of Object.entries(isMove ? { from, path } : { path })) {
    if (typeof pointer !== "string" || !/^(\/|$)/.test(pointer)) {
      return `${name} is ${showValue(pointer)}, expected a JSON pointer such as "/spec/replicas"`;
    }
  }
  return value === undefined && !isMove && op !== "remove"
    ? "value is undefined: give null to set null"
    : undefined;
}
