import {
  cloneJson,
  encodeJson,
  getOwn,
  isObject,
  isTooDeep,
  type Json,
  jsonEqual,
  type JsonObject,
  quote,
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

/** The error for a patch that cannot be applied, with the message of the library that the real server uses. */
export class JsonPatchError extends Error {
  /** Always `JsonPatchError`. */
  override readonly name: string = "JsonPatchError";
}

/** The error for a patch with a `test` operation that finds another value. */
export class JsonPatchTestError extends JsonPatchError {}

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
    if (typeof path !== "string") {
      throw new JsonPatchError(`${op} operation failed to decode path: ${MISSING}`);
    }
    const unlocated = (what: string) =>
      new JsonPatchError(`${op} operation does not apply: ${what}: ${MISSING}`);
    switch (op) {
      case "add": {
        const place = locate(root, path) ?? fail(unlocated(`doc is missing path: "${path}"`));
        explained(`error in add for path: '${path}'`, () => add(place, value));
        break;
      }
      case "remove": {
        const place = locate(root, path) ?? fail(unlocated(`doc is missing path: "${path}"`));
        explained(`error in remove for path: '${path}'`, () => remove(place));
        break;
      }
      case "replace":
        if (path === "") root = wholeDocument(value);
        else {
          const place = locate(root, path) ?? fail(unlocated(`doc is missing path: ${path}`));
          replace(place, value, () => unlocated(`doc is missing key: ${path}`));
        }
        break;
      case "move": {
        const source = locate(root, from) ?? fail(unlocated(`doc is missing from path: ${from}`));
        const moved = explained(`error in move for path: '${source.key}'`, () => {
          const present = read(source) ?? null;
          remove(source);
          return present;
        });
        const place = locate(root, path) ??
          fail(unlocated(`doc is missing destination path: ${path}`));
        explained(`error in move for path: '${path}'`, () => add(place, moved));
        break;
      }
      case "copy": {
        const source = locate(root, from) ?? fail(unlocated(`doc is missing from path: ${from}`));
        const present = explained(`error in copy for from: '${from}'`, () => read(source));
        const place = locate(root, path) ??
          fail(unlocated(`doc is missing destination path: ${path}`));
        const copy = cloneJson(present ?? null);
        copied += encodeJson(copy).length;
        if (copied > MAX_COPIED) {
          throw new JsonPatchError(
            `Unable to complete the copy, the accumulated size increase of copy is ${copied}, exceeding the limit ${MAX_COPIED}`,
          );
        }
        explained("error while adding value during copy", () => add(place, copy));
        break;
      }
      case "test": {
        const place = path === ""
          ? undefined
          : locate(root, path) ?? fail(unlocated(`is missing path: ${path}`));
        const actual = place === undefined
          ? root
          : explained(`error in test for path: '${path}'`, () => read(place));
        if (!jsonEqual(actual ?? null, value)) {
          throw new JsonPatchTestError(`testing value ${path} failed: test failed`);
        }
        break;
      }
      default:
        throw new JsonPatchError(`Unexpected kind: ${op ?? "unknown"}`);
    }
  }
  return sortOpened(root, opened.add(root));
}

const MISSING = "missing value";

function fail(error: JsonPatchError): never {
  throw error;
}

/** Puts `context` before the message of an error of `act`. */
function explained<T>(context: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof JsonPatchError) error.message = `${context}: ${error.message}`;
    throw error;
  }
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

/** Returns the location of a pointer; undefined if there is nothing that could contain it. */
function find(root: Json, pointer: string, opened: Set<Json>): Place | undefined {
  const steps = pointer.split("/");
  if (steps.length < 2) return undefined;
  const keys = steps.slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = keys.pop()!;
  let container = root;
  for (const step of keys) {
    const next = member({ container, key: step });
    if (typeof next !== "object" || next === null) return undefined;
    opened.add(next);
    container = next;
  }
  return { container, key };
}

/** Returns the index that `key` denotes in an array; undefined if it is not less than `limit`. */
function indexIn(key: string, limit: number): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(key)) return undefined;
  const index = Number(key);
  const resolved = index < 0 ? index + limit : index;
  return resolved >= 0 && resolved < limit ? resolved : undefined;
}

/** Returns the index that `key` denotes in an array. It must be less than `limit`. */
function indexOf(key: string, limit: number, isAdded = false): number {
  const index = indexIn(key, limit);
  if (index !== undefined) return index;
  if (/^[+-]?[0-9]+$/.test(key)) {
    throw new JsonPatchError(
      `Unable to access invalid index: ${Number(key)}: invalid index referenced`,
    );
  }
  const reason = `strconv.Atoi: parsing ${quote(key)}: invalid syntax`;
  throw new JsonPatchError(
    isAdded ? `value was not a proper array index: '${key}': ${reason}` : reason,
  );
}

/** Returns the value at a place; undefined if there is none. */
function member({ container, key }: Place): Json | undefined {
  if (!Array.isArray(container)) return isObject(container) ? getOwn(container, key) : undefined;
  const index = indexIn(key, container.length);
  return index === undefined ? undefined : container[index];
}

/** Returns the value at a place; undefined if an object does not have it. An array must have it. */
function read(place: Place): Json | undefined {
  const { container, key } = place;
  if (Array.isArray(container)) indexOf(key, container.length);
  return member(place);
}

function add({ container, key }: Place, value: Json): void {
  if (Array.isArray(container)) {
    if (key === "-") container.push(value);
    else container.splice(indexOf(key, container.length + 1, true), 0, value);
  } else if (isObject(container)) {
    setOwn(container, key, value);
  }
}

function replace({ container, key }: Place, value: Json, missing: () => JsonPatchError): void {
  if (Array.isArray(container)) {
    const index = indexIn(key, container.length);
    if (index === undefined) throw missing();
    container[index] = value;
  } else if (isObject(container)) {
    setOwn(container, key, value);
  }
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) {
    container.splice(indexOf(key, container.length), 1);
  } else if (isObject(container)) {
    if (!Object.hasOwn(container, key)) {
      throw new JsonPatchError(`Unable to remove nonexistent key: ${key}: ${MISSING}`);
    }
    delete container[key];
  }
}

function wholeDocument(value: Json): Json {
  if (typeof value !== "object" || value === null) {
    throw new JsonPatchError("replace operation value must be object or array: %!w(<nil>)");
  }
  return value;
}
