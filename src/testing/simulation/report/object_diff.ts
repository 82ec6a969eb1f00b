import { isRecord, showJson } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import { compareStates, type Difference } from "../judge/mod.ts";

/** Fields of metadata that change with every write, or never. */
const SILENT: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "generation",
  "managedFields",
  "name",
  "namespace",
  "resourceVersion",
  "selfLink",
  "uid",
]);

/** The maximum length of a value, in characters. */
const MAX_VALUE = 60;
/** The maximum number of fields of one object. */
const MAX_FIELDS = 3;
/** The maximum number of items of one list that were added or dropped. */
const MAX_ITEMS = 10;

/** The items of a list that one version has and the other has not. */
class Items {
  readonly items: unknown[] = [];
}

/** Returns the differences between two versions of an object, except fields that every write changes. */
function differencesOf(before: KubeObject, after: KubeObject): Difference[] {
  const from = telling(before);
  const to = telling(after);
  const out = new Map<string, Difference>();
  for (const difference of compareStates(new Map([["", from]]), new Map([["", to]]))) {
    const { actual, expected, field } = difference;
    if (field.endsWith("[]")) {
      // The added items of a list are one difference, and the dropped items are another one.
      const isAdded = expected === undefined;
      const key = `${isAdded ? "+" : "-"}${field}`;
      const items = new Items();
      const one = isAdded ? { ...difference, actual: items } : { ...difference, expected: items };
      const known = out.get(key) ?? one;
      out.set(key, known);
      ((isAdded ? known.actual : known.expected) as Items).items.push(isAdded ? actual : expected);
      continue;
    }
    // A list of plain values, such as the finalizers, is shown whole.
    const list = /^(.*)\[\d+\]$/.exec(field)?.[1];
    if (list === undefined) out.set(field, difference);
    else {
      out.set(list, {
        ...difference,
        field: list,
        expected: valueAt(from, list),
        actual: valueAt(to, list),
      });
    }
  }
  return [...out.values()];
}

/** Returns the change from one version of an object to another in words: `spec.size: 3 → 1`. */
export function describeChange(before: KubeObject, after: KubeObject): string {
  const differences = differencesOf(before, after);
  if (differences.length === 0) return "no change but of its version";
  return inWords(
    differences,
    ({ actual, expected, field }) =>
      expected === undefined
        ? `adds ${field}: ${shortValue(actual)}`
        : actual === undefined
        ? `drops ${field}: ${shortValue(expected)}`
        : `${field}: ${shortValue(expected)} → ${shortValue(actual)}`,
  );
}

/** Returns the fields in which an object differs from another version, in words: `spec.size: 3`. */
export function describeState(object: KubeObject, other: KubeObject | undefined): string {
  if (other === undefined) return describeFields(object);
  const differences = differencesOf(other, object);
  return inWords(
    differences,
    ({ actual, field }) => actual === undefined ? `no ${field}` : `${field}: ${shortValue(actual)}`,
  );
}

/** Returns the telling fields of a new object in words: `spec.size: 3`. */
export function describeFields(object: KubeObject): string {
  const { metadata, ...rest } = telling(object);
  const { deletionTimestamp, finalizers } = metadata as KubeObject["metadata"];
  const kept = {
    ...(deletionTimestamp !== undefined && { "being deleted": true }),
    ...(finalizers !== undefined && { finalizers }),
    ...rest,
  };
  return inWords(
    compareStates(new Map([["", {}]]), new Map([["", flat(kept)]])),
    ({ actual, field }) => `${field}: ${shortValue(actual)}`,
  );
}

/** Returns a value as short JSON. */
export function shortValue(value: unknown): string {
  if (value instanceof Items) {
    const more = value.items.length - MAX_ITEMS;
    const shown = value.items.slice(0, MAX_ITEMS).map(shortValue).join(", ");
    return more > 0 ? `${shown} and ${more} more` : shown;
  }
  const text = value === undefined ? "absent" : showJson(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}

/** Returns the value of a field of a {@linkcode Difference}. */
export function valueAt(value: unknown, field: string): unknown {
  if (field === "") return value;
  if (Array.isArray(value)) {
    const [whole = "", index] = /^\[(\d+)\]\.?/.exec(field) ?? [];
    return index === undefined
      ? undefined
      : valueAt(value[Number(index)], field.slice(whole.length));
  }
  if (!isRecord(value)) return undefined;
  // Keys, such as the keys of labels, may have dots.
  for (const key of Object.keys(value)) {
    if (!field.startsWith(key)) continue;
    const rest = field.slice(key.length);
    if (rest === "" || rest.startsWith("[")) return valueAt(value[key], rest);
    if (rest.startsWith(".")) return valueAt(value[key], rest.slice(1));
  }
  return undefined;
}

/** Returns an object without the fields that change with every write, or never. */
function telling(object: KubeObject): Record<string, unknown> {
  const { apiVersion: _, kind: __, metadata, ...rest } = object;
  const kept = Object.entries(metadata).filter(([field]) => !SILENT.has(field));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

/** Replaces records by their fields, two levels deep. */
function flat(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) =>
      isRecord(value)
        ? Object.entries(value).map(([inner, leaf]) => [`${key}.${inner}`, leaf])
        : [[key, value]]
    ),
  );
}

function inWords(
  differences: readonly Difference[],
  describe: (difference: Difference) => string,
): string {
  const shown = differences.slice(0, MAX_FIELDS).map(describe).join(", ");
  const more = differences.length - MAX_FIELDS;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
