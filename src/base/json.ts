/** Returns a field of an object, and not what the object inherits, such as `constructor`. */
export function own(object: unknown, key: string): unknown {
  return isRecord(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a field of an object, also one with the name `__proto__`. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** The deepest nesting that Go's decoder reads, and so the API server. */
export const MAX_JSON_DEPTH = 10_000;

/** Marks the end of the members of an object or array among the values that are still to be compared. */
const END = Symbol("end");

/**
 * Reports whether two JSON values are equal. The order of fields does not matter, and a bigint equals the number with
 * the same value, or with the same digits. Values that are nested deeper than {@linkcode MAX_JSON_DEPTH} count as
 * different, as do two that contain themselves.
 */
export function jsonEqual(a: unknown, b: unknown): boolean {
  // Without recursion: values may be nested deeper than the stack is.
  const rest: unknown[] = [];
  if (!isSame(a, b, rest)) return false;
  let depth = 0;
  while (rest.length > 0) {
    const right = rest.pop();
    if (right === END) {
      depth--;
      continue;
    }
    if (depth++ >= MAX_JSON_DEPTH) return false;
    const left = rest.pop();
    rest.push(END);
    if (!areSameMembers(left, right, rest)) return false;
  }
  return true;
}

/** Compares the members of two objects or arrays. Members that are objects or arrays are added to `rest`. */
function areSameMembers(left: unknown, right: unknown, rest: unknown[]): boolean {
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) {
      if (!isSame(left[i], right[i], rest)) return false;
    }
    return true;
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(right, key) || !isSame(left[key], right[key], rest)) return false;
  }
  return true;
}

/** Compares two values, or adds them to `rest` if both are objects or arrays. */
function isSame(a: unknown, b: unknown, rest: unknown[]): boolean {
  if (a === b) return true;
  if (typeof a === "object" && typeof b === "object" && a !== null && b !== null) {
    return rest.push(a, b) > 0;
  }
  if (typeof a === "bigint") return typeof b === "number" && isSameNumber(a, b);
  return typeof b === "bigint" && typeof a === "number" && isSameNumber(b, a);
}

/** Servers write a number beyond 2^63 as JavaScript shows it, with zeros: 2^63 as 9223372036854776000. */
function isSameNumber(big: bigint, number: number): boolean {
  return (Number.isInteger(number) && BigInt(number) === big) || String(big) === String(number);
}

/** Reports whether `value` is an object other than an array or null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reports whether an object is not an instance of a class. It may come from another realm, such as a worker. */
export function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
