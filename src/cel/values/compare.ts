import { jsonEqual } from "../../values/mod.ts";
import { keyText } from "./literal_map.ts";
import {
  CelError,
  CelList,
  type CelMap,
  Duration,
  isCelMap,
  isOpaque,
  Optional,
  Preserved,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./value.ts";

type Numeric = bigint | number | Uint;

function isNumeric(value: Value): value is Numeric {
  return typeof value === "bigint" || typeof value === "number" || value instanceof Uint;
}

const plain = (value: Numeric) => value instanceof Uint ? value.value : value;

/** Reports whether two values are equal. Numbers of different types are equal if their values are. */
export function celEqual(a: Value, b: Value): boolean {
  if (a === null || b === null) return a === b;
  // Two numbers of different types are compared by value, which JavaScript's == does exactly.
  // deno-lint-ignore eqeqeq
  if (isNumeric(a) && isNumeric(b)) return plain(a) == plain(b);
  if (typeof a !== "object") return a === b;
  refuseOthers(a, b);
  if (typeof b !== "object") return false;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b) === 0;
  if (a instanceof Duration && b instanceof Duration) return a.nanos === b.nanos;
  if (a instanceof Timestamp && b instanceof Timestamp) return a.nanos === b.nanos;
  if (a instanceof TypeValue && b instanceof TypeValue) return a.name === b.name;
  if (a instanceof CelList && b instanceof CelList) return equalLists(a, b);
  if (a instanceof Optional && b instanceof Optional) {
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return celEqual(a.value, b.value);
  }
  if (a instanceof Preserved && b instanceof Preserved) return jsonEqual(a.json, b.json);
  if (isCelMap(a) && isCelMap(b)) return equalMaps(a, b);
  return isOpaque(a) && isOpaque(b) && a.opaque.name === b.opaque.name && a.equals(b);
}

/** Throws if `a` is a list or map of an object, and `b` is not a list or map. */
function refuseOthers(a: Value, b: Value): void {
  const wrong = a instanceof CelList
    ? a.ofObject && !(b instanceof CelList)
    : typeof a === "object" && a !== null && isCelMap(a) && a.ofObject &&
      !(typeof b === "object" && b !== null && isCelMap(b));
  if (wrong) throw new CelError("no such overload");
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  return a.keys().every((key) => {
    const [own, other] = [a.get(key), b.get(key)];
    // A field of an object may be null, which is as if it were absent.
    if (own === undefined || other === undefined) return own === other;
    return celEqual(own, other);
  });
}

function equalLists(a: CelList, b: CelList): boolean {
  if (a.size !== b.size) return false;
  const { mode } = a;
  if (mode?.type === "set") {
    const index = new ValueSet(a.items);
    return b.items.every((item) => index.has(item));
  }
  if (mode?.type === "map") {
    const byKey = new Map(a.items.map((item) => [itemKey(item, mode.keys), item]));
    return b.items.every((item) => {
      const found = byKey.get(itemKey(item, mode.keys));
      return found !== undefined && celEqual(found, item);
    });
  }
  for (let index = 0; index < a.size; index++) {
    if (!celEqual(a.at(index), b.at(index))) return false;
  }
  return true;
}

/** Returns a text of the fields that identify an item of a list. */
function itemKey(item: Value, keys: readonly string[]): string {
  if (!isCelMap(item)) return "";
  return JSON.stringify(keys.map((key) => {
    const value = item.get(key);
    return value === undefined ? null : keyText(value) ?? "";
  }));
}

/** Adds a list to another: items of an object's set or map list that are there already are not added again. */
export function addLists(a: CelList, b: CelList): CelList {
  const { mode } = a;
  if (mode === undefined) return a.concat(b);
  if (mode.type === "set") {
    const known = new ValueSet(a.items);
    const items = [...a.items];
    for (const item of b.items) {
      if (known.has(item)) continue;
      known.add(item);
      items.push(item);
    }
    return new CelList(items, { mode, ofObject: true });
  }
  const items = new Map(a.items.map((item) => [itemKey(item, mode.keys), item]));
  for (const item of b.items) items.set(itemKey(item, mode.keys), item);
  return new CelList([...items.values()], { mode, ofObject: true });
}

/** A set of values. Values that may be keys are found in constant time. */
export class ValueSet {
  readonly #keys = new Set<string>();
  readonly #others: Value[] = [];

  /** Creates a set. */
  constructor(values: Iterable<Value> = []) {
    for (const value of values) this.add(value);
  }

  /** Adds a value. */
  add(value: Value): void {
    const text = keyText(value);
    if (text !== undefined) this.#keys.add(text);
    else this.#others.push(value);
  }

  /** Reports whether the set has an equal value. */
  has(value: Value): boolean {
    const text = keyText(value);
    if (text !== undefined) return this.#keys.has(text);
    return this.#others.some((other) => celEqual(other, value));
  }
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    if (a[index] !== b[index]) return a[index]! < b[index]! ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

const encoder = new TextEncoder();

function order<T extends bigint | number | boolean>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reports whether values of this type have an order. */
export function isComparable(value: Value): boolean {
  return ["boolean", "string"].includes(typeof value) || isNumeric(value) ||
    value instanceof Uint8Array || value instanceof Duration || value instanceof Timestamp;
}

/**
 * Compares two values; returns -1, 0 or 1.
 *
 * @throws {CelError} If they have no order.
 */
export function celCompare(a: Value, b: Value): number {
  if (isNumeric(a) && isNumeric(b)) {
    const [left, right] = [plain(a), plain(b)];
    if (Number.isNaN(left) || Number.isNaN(right)) {
      throw new CelError("NaN values cannot be ordered");
    }
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (typeof a === "string" && typeof b === "string") {
    // UTF-8 bytes have the order of code points, which that of UTF-16 is not.
    return a === b ? 0 : compareBytes(encoder.encode(a), encoder.encode(b));
  }
  if (typeof a === "boolean" && typeof b === "boolean") return order(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Duration && b instanceof Duration) return order(a.nanos, b.nanos);
  if (a instanceof Timestamp && b instanceof Timestamp) return order(a.nanos, b.nanos);
  throw new CelError("no such overload");
}
