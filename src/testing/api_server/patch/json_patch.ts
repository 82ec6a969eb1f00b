import {
  cloneJson,
  encodeJson,
  getOwn,
  isObject,
  isTooDeep,
  type Json,
  jsonEqual,
  type JsonObject,
  jsonTypeName,
  quote,
  setOwn,
  sortKeys,
} from "../../values/mod.ts";
import { pointerKeys } from "./json_pointer.ts";

/** One operation of a JSON patch. Fields of another type count as absent. */
export interface JsonPatchOperation {
  /** The operation: `add`, `remove`, `replace`, `move`, `copy` or `test`. */
  readonly op?: Json;
  /** The path to operate on, as a JSON pointer. */
  readonly path?: Json;
  /** The path of the source, for `move` and `copy`. */
  readonly from?: Json;
  /** The value for `add`, `replace` and `test`. If absent, it is null. */
  readonly value?: Json;
}

/**
 * The error for a patch that cannot be applied, with the message of the library of a real server. A real server shows it
 * only for the patches of webhooks.
 */
export class JsonPatchError extends Error {
  /** Always `JsonPatchError`. */
  override readonly name: string = "JsonPatchError";
}

/** The error for a value that a `test` operation does not find. */
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
  const patching = new Patching(cloneJson(document));
  for (const operation of operations) patching.apply(operation);
  return patching.result;
}

/** A document while a patch is applied to it. */
class Patching {
  #root: Json;
  /** The objects and arrays that paths have led through. */
  readonly #opened = new Set<Json>();
  #copied = 0;

  constructor(root: Json) {
    this.#root = root;
  }

  get result(): Json {
    return sortOpened(this.#root, this.#opened.add(this.#root));
  }

  apply(operation: JsonPatchOperation): void {
    const { op } = operation;
    switch (op) {
      case "add":
        return this.#add(operation);
      case "remove":
        return this.#remove(operation);
      case "replace":
        return this.#replace(operation);
      case "move":
        return this.#move(operation);
      case "copy":
        return this.#copy(operation);
      case "test":
        return this.#test(operation);
    }
    throw new JsonPatchError(`Unexpected kind: ${typeof op === "string" ? op : "unknown"}`);
  }

  #add(operation: JsonPatchOperation): void {
    const path = pathOf(operation, () => "add operation failed to decode path: missing value");
    const place = this.#find(path) ??
      missing(`add operation does not apply: doc is missing path: "${path}"`);
    within(`error in add for path: '${path}'`, () => add(place, valueOf(operation)));
  }

  #remove(operation: JsonPatchOperation): void {
    const path = pathOf(operation, () => "remove operation failed to decode path: missing value");
    const place = this.#find(path) ??
      missing(`remove operation does not apply: doc is missing path: "${path}"`);
    within(`error in remove for path: '${path}'`, () => remove(place));
  }

  #replace(operation: JsonPatchOperation): void {
    const path = pathOf(operation, (why) => `replace operation failed to decode path: ${why}`);
    if (path === "") this.#root = wholeDocument(valueOf(operation));
    else {
      const place = this.#find(path) ??
        missing(`replace operation does not apply: doc is missing path: ${path}`);
      try {
        read(place);
      } catch {
        missing(`replace operation does not apply: doc is missing key: ${path}`);
      }
      replace(place, valueOf(operation));
    }
  }

  #move(operation: JsonPatchOperation): void {
    const from = fromOf(operation, "move");
    const source = this.#find(from) ??
      missing(`move operation does not apply: doc is missing from path: ${from}`);
    const moved = within(`error in move for path: '${source.key}'`, () => {
      const value = read(source) ?? null;
      remove(source);
      return value;
    });
    const path = pathOf(operation, (why) => `move operation failed to decode path: ${why}`);
    const place = this.#find(path) ??
      missing(`move operation does not apply: doc is missing destination path: ${path}`);
    within(`error in move for path: '${path}'`, () => add(place, moved));
  }

  #copy(operation: JsonPatchOperation): void {
    const from = fromOf(operation, "copy");
    const source = this.#find(from) ??
      missing(`copy operation does not apply: doc is missing from path: ${from}`);
    const copy = within(
      `error in copy for from: '${from}'`,
      () => cloneJson(read(source) ?? null),
    );
    const path = pathOf(operation, () => "copy operation failed to decode path: missing value");
    const place = this.#find(path) ??
      missing(`copy operation does not apply: doc is missing destination path: ${path}`);
    this.#copied += encodeJson(copy).length;
    if (this.#copied > MAX_COPIED) {
      throw new JsonPatchError(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copied}, ` +
          `exceeding the limit ${MAX_COPIED}`,
      );
    }
    within("error while adding value during copy", () => add(place, copy));
  }

  #test(operation: JsonPatchOperation): void {
    const path = pathOf(operation, (why) => `test operation failed to decode path: ${why}`);
    const place = path === "" ? undefined : this.#find(path) ??
      missing(`test operation does not apply: is missing path: ${path}`);
    const actual = place === undefined
      ? this.#root
      : within(`error in test for path: '${path}'`, () => read(place));
    if (!jsonEqual(actual ?? null, valueOf(operation))) {
      throw new JsonPatchTestError(`testing value ${path} failed: test failed`);
    }
  }

  /** Returns the place of a path; undefined if nothing has a place there. */
  #find(pointer: string): Place | undefined {
    const keys = pointerKeys(pointer);
    const key = keys.pop();
    if (key === undefined) return undefined;
    let container = this.#root;
    for (const step of keys) {
      let next: Json | undefined;
      try {
        next = read({ container, key: step });
      } catch {
        return undefined;
      }
      if (next === undefined || next === null || typeof next !== "object") return undefined;
      this.#opened.add(next);
      container = next;
    }
    return { container, key };
  }
}

function valueOf({ value }: JsonPatchOperation): Json {
  return cloneJson(value ?? null);
}

/** Returns the path of an operation. `problem` returns the message if there is none, given the reason. */
function pathOf({ path }: JsonPatchOperation, problem: (why: string) => string): string {
  if (typeof path === "string") return path;
  throw new JsonPatchError(problem(notText(path, "operation missing path field")));
}

function fromOf({ from }: JsonPatchOperation, op: string): string {
  if (typeof from === "string") return from;
  const why = notText(from, "operation, missing from field");
  throw new JsonPatchError(`${op} operation failed to decode from: ${why}`);
}

function notText(value: Json | undefined, absent: string): string {
  return value === undefined || value === null
    ? `${absent}: missing value`
    : `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type string`;
}

function missing(message: string): never {
  throw new JsonPatchError(`${message}: missing value`);
}

/** Returns what `act` returns. `what` precedes the message of its error. */
function within<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof JsonPatchError) throw new JsonPatchError(`${what}: ${error.message}`);
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

/** Returns the index that `key` denotes in an array. It must be less than `limit`. */
function indexOf(key: string, limit: number): number {
  if (!/^[+-]?[0-9]+$/.test(key)) {
    throw new JsonPatchError(`strconv.Atoi: parsing ${quote(key)}: invalid syntax`);
  }
  const index = Number(key);
  const resolved = index < 0 ? index + limit : index;
  if (resolved < 0 || resolved >= limit) {
    throw new JsonPatchError(
      `Unable to access invalid index: ${index}: invalid index referenced`,
    );
  }
  return resolved;
}

function read({ container, key }: Place): Json | undefined {
  if (Array.isArray(container)) return container[indexOf(key, container.length)];
  return isObject(container) ? getOwn(container, key) : undefined;
}

function add({ container, key }: Place, value: Json): void {
  if (Array.isArray(container)) {
    if (key === "-") container.push(value);
    else {
      const what = `value was not a proper array index: '${key}'`;
      const isNumber = /^[+-]?[0-9]+$/.test(key);
      const index = () => indexOf(key, container.length + 1);
      container.splice(isNumber ? index() : within(what, index), 0, value);
    }
  } else if (isObject(container)) {
    setOwn(container, key, value);
  }
}

function replace({ container, key }: Place, value: Json): void {
  if (Array.isArray(container)) {
    container[indexOf(key, container.length)] = value;
  } else if (isObject(container)) {
    setOwn(container, key, value);
  }
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) {
    container.splice(indexOf(key, container.length), 1);
  } else if (isObject(container)) {
    if (!Object.hasOwn(container, key)) missing(`Unable to remove nonexistent key: ${key}`);
    delete container[key];
  }
}

function wholeDocument(value: Json): Json {
  if (typeof value !== "object" || value === null) {
    throw new JsonPatchError("replace operation value must be object or array: %!w(<nil>)");
  }
  return value;
}
