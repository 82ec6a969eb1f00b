import { cloneJson, getOwn, isObject, type Json, jsonEqual, setOwn } from "../values/mod.ts";

/** One step of a JSON patch. */
export interface JsonPatchOperation {
  /** What to do. */
  readonly op?: string;
  /** Where, as a JSON pointer. */
  readonly path?: string;
  /** For `move` and `copy`: from where. */
  readonly from?: string;
  /** For `add`, `replace` and `test`: what. Absent means null. */
  readonly value?: Json;
}

/** The patch does not fit the document. The real server answers every such failure with one and the same 422. */
export class JsonPatchError extends Error {
  /** Always `JsonPatchError`. */
  override readonly name: string = "JsonPatchError";
}

/** What a copy may add in all, in characters, so that a small patch cannot make a huge document. */
const MAX_COPIED = 3 * 1024 * 1024;

/**
 * Applies a JSON patch (RFC 6902), with the liberties of the library that the real server uses: `add` without a value adds
 * null, `replace` of a member that is absent adds it, `copy` of one copies null, and a negative index counts from the end.
 *
 * @throws {JsonPatchError} When a step does not fit. `document` is not changed.
 */
export function jsonPatch(document: Json, operations: readonly JsonPatchOperation[]): Json {
  let copied = 0;
  let root = cloneJson(document);
  for (const operation of operations) {
    const { op, path = "", from = "" } = operation;
    const value = cloneJson(operation.value ?? null);
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
        copied += JSON.stringify(copy).length;
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
  return root;
}

/** A place in the document: an object or array, and a key of it that need not exist. */
interface Place {
  readonly container: Json;
  readonly key: string;
}

function locate(root: Json, pointer: string): Place {
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
    container = next;
  }
  return { container, key };
}

/** The index that `key` names in an array of `length` items; `limit` is one past the last index allowed. */
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
