import { isRecord } from "./is_record.ts";

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

/** The number of levels that an API server takes. A value with more may contain itself. */
const MAX_LEVELS = 10_000;

/**
 * Reports whether two JSON values are equal. The order of fields does not matter.
 *
 * @throws {TypeError} If both have more than 10,000 levels.
 */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // A stack of its own, because values may be deeper than calls can be.
  const pairs: [a: unknown, b: unknown, level: number][] = [[a, b, 0]];
  for (let pair; (pair = pairs.pop()) !== undefined;) {
    const [one, other, level] = pair;
    if (level > MAX_LEVELS) {
      throw new TypeError(
        `Cannot compare values with more than ${MAX_LEVELS} levels, or that contain themselves`,
      );
    }
    if (Array.isArray(one)) {
      if (!Array.isArray(other) || one.length !== other.length) return false;
      for (let i = 0; i < one.length; i++) {
        if (one[i] !== other[i]) pairs.push([one[i], other[i], level + 1]);
      }
      continue;
    }
    if (!isRecord(one) || !isRecord(other)) return false;
    const keys = Object.keys(one);
    if (keys.length !== Object.keys(other).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false;
      if (one[key] !== other[key]) pairs.push([one[key], other[key], level + 1]);
    }
  }
  return true;
}
