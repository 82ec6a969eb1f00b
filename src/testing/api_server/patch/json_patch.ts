import {
  cloneJson,
  encodeJson,
  getOwn,
  isObject,
  isTooDeep,
  type Json,
  jsonEqual,
  type JsonObject,
  setOwn,
  sortKeys,
} from "../../values/mod.ts";

/** One operation of a JSON patch. */
export interface JsonPatchOperation {
  /** The operation: `add`, `remove`, `replace`, `move`, `copy` or `test`. */
  readonly op?: string | null;
  /** The path to operate on, as a JSON pointer. */
  readonly path?: string | null;
  /** The path of the source, for `move` and `copy`. */
  readonly from?: string | null;
  /** The value for `add`, `replace` and `test`. If absent, it is null. */
  readonly value?: Json;
}

/** The error for a patch that cannot be applied. The real server sends the same 422 response for every such error. */
export class JsonPatchError extends Error {
  /** Always `JsonPatchError`. */
  override readonly name: string = "JsonPatchError";
}

/**
 * The maximum total size of copied values, in characters of JSON.
 *
 * It keeps a small patch from making a huge document.
 */
const MAX_COPIED = 3 * 1024 * 1024;

/**
 * Applies a JSON patch (RFC 6902) to a copy of `document` and returns it.
 *
 * It deviates from the RFC like the library that the real server uses: `add` without a value adds null, `replace` of an
 * absent member adds it, `copy` of an absent member copies null, and a negative index counts from the end. The members
 * of every object that the path of an operation leads through are sorted.
 *
 * @throws {JsonPatchError} If an operation cannot be applied.
 */
export function jsonPatch(document: Json, operations: readonly JsonPatchOperation[]): Json {
  let patched: Json;
  try {
    patched = applyAll(document, operations);
  } catch (error) {
    // Operations can nest values into each other until a copy of them overflows the stack.
    if (error instanceof RangeError) throw new JsonPatchError("The document gets too deep");
    throw error;
  }
  if (isTooDeep(patched)) throw new JsonPatchError("The document gets too deep");
  return patched;
}

function applyAll(document: Json, operations: readonly JsonPatchOperation[]): Json {
  let copied = 0;
  let root = cloneJson(document);
  const opened = new Set<Json>();
  const locate = (root: Json, pointer: string) => find(root, pointer, opened);
  for (const operation of operations) {
    const { op, path } = operation;
    const from = operation.from ?? "";
    const value = cloneJson(operation.value ?? null);
    if (typeof path !== "string") throw new JsonPatchError("An operation has no path");
    switch (op) {
      case "add":
        add(locate(root, path), value);
        break;
      case "remove":
        remove(locate(root, path));
        break;
      case "replace":
        if (path === "") root = wholeDocument(value);
        else replace(locate(root, path), value);
        break;
      case "move": {
        const source = locate(root, from);
        const moved = read(source) ?? null;
        remove(source);
        add(locate(root, path), moved);
        break;
      }
      case "copy": {
        const copy = cloneJson(read(locate(root, from)) ?? null);
        copied += encodeJson(copy).length;
        if (copied > MAX_COPIED) throw new JsonPatchError("The patch copies too much");
        add(locate(root, path), copy);
        break;
      }
      case "test": {
        const actual = path === "" ? root : read(locate(root, path));
        if (!jsonEqual(actual ?? null, value)) {
          throw new JsonPatchError(`Testing "${path}" failed`);
        }
        break;
      }
      default:
        throw new JsonPatchError(`Unknown operation "${op ?? ""}"`);
    }
  }
  return sortOpened(root, opened.add(root));
}

/** Sorts the members of the objects in `opened`. */
function sortOpened(value: Json, opened: ReadonlySet<Json>): Json {
  if (typeof value !== "object" || value === null || !opened.has(value)) return value;
  if (Array.isArray(value)) return value.map((item) => sortOpened(item, opened));
  const result: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(result, key, sortOpened(value[key] ?? null, opened));
  return sortKeys(result);
}

/** A location in the document: an object or array, and a key in it, which need not exist. */
interface Place {
  readonly container: Json;
  readonly key: string;
}

function find(root: Json, pointer: string, opened: Set<Json>): Place {
  const steps = pointer.split("/");
  if (steps.length < 2) throw new JsonPatchError(`"${pointer}" is not a path in the document`);
  const keys = steps.slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = keys.pop()!;
  let container = root;
  for (const step of keys) {
    const next = read({ container, key: step });
    if (next === undefined || next === null || typeof next !== "object") {
      throw new JsonPatchError(`"${pointer}" leads nowhere`);
    }
    opened.add(next);
    container = next;
  }
  return { container, key };
}

/** Returns the index that `key` denotes in an array of `length` items. It must be less than `limit`. */
function indexOf(key: string, length: number, limit: number): number {
  if (!/^[+-]?[0-9]+$/.test(key)) throw new JsonPatchError(`"${key}" is not an index`);
  const index = Number(key);
  const resolved = index < 0 ? index + limit : index;
  if (resolved < 0 || resolved >= limit) {
    throw new JsonPatchError(`Index ${key} is not in an array of ${length}`);
  }
  return resolved;
}

function read({ container, key }: Place): Json | undefined {
  if (Array.isArray(container)) return container[indexOf(key, container.length, container.length)];
  return isObject(container) ? getOwn(container, key) : undefined;
}

function add({ container, key }: Place, value: Json): void {
  if (Array.isArray(container)) {
    if (key === "-") container.push(value);
    else container.splice(indexOf(key, container.length, container.length + 1), 0, value);
  } else if (isObject(container)) {
    setOwn(container, key, value);
  }
}

function replace({ container, key }: Place, value: Json): void {
  if (Array.isArray(container)) {
    container[indexOf(key, container.length, container.length)] = value;
  } else if (isObject(container)) {
    setOwn(container, key, value);
  }
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) {
    container.splice(indexOf(key, container.length, container.length), 1);
  } else if (isObject(container)) {
    if (!Object.hasOwn(container, key)) throw new JsonPatchError(`There is no "${key}" to remove`);
    delete container[key];
  }
}

function wholeDocument(value: Json): Json {
  if (typeof value !== "object" || value === null) {
    throw new JsonPatchError("A document can only be replaced by an object or an array");
  }
  return value;
}
