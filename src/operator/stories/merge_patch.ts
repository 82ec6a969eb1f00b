import { isRecord, jsonEqual } from "../../base/mod.ts";
import type { DeepReadonly, KubeObject } from "../../types/mod.ts";

/** Fields of metadata that the server sets. */
const SERVER_SET: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "name",
  "namespace",
  "resourceVersion",
  "selfLink",
  "uid",
]);

/** The fields of an object. */
type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of an object that a client has set, and its status. */
export function setFields(object: DeepReadonly<KubeObject>): Fields {
  const { apiVersion: _, kind: __, metadata, ...rest } = object;
  const kept = Object.entries(metadata).filter(([field]) => !SERVER_SET.has(field));
  return kept.length === 0 ? rest : { metadata: Object.fromEntries(kept), ...rest };
}

/** The depth from which on the patch has a changed object as a whole, so that no object exceeds the stack. */
const MAX_DEPTH = 200;

/**
 * Returns the JSON merge patch (RFC 7396) that makes `after` of `before`. Fields that were removed at more than 200 levels
 * are not in it.
 */
export function mergePatch(before: Fields, after: Fields, depth = 0): Fields {
  const patch: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (depth < MAX_DEPTH && isRecord(old) && isRecord(value)) {
      const inside = mergePatch(old, value, depth + 1);
      if (Object.keys(inside).length > 0) put(patch, key, inside);
    } else if (!jsonEqual(old, value)) put(patch, key, value);
  }
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) put(patch, key, null);
  }
  return patch;
}

/** Sets a field, whatever its name: `__proto__` is one, too. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
