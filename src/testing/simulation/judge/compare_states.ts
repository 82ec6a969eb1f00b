import { isRecord, showJson } from "@kubeloop/controller/internal/base";
import type { EndState } from "../record/mod.ts";

/** A difference between two end states. */
export interface Difference {
  /** The resource and key of the object. */
  readonly object: string;
  /** The field; empty if the whole object is missing or too many. */
  readonly field: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Compares an end state with the expected one. */
export function compareStates(expected: EndState, actual: EndState): Difference[] {
  const out: Difference[] = [];
  for (const [object, wanted] of expected) {
    if (!actual.has(object)) out.push({ object, field: "", expected: wanted, actual: undefined });
    else compareValues(object, "", wanted, actual.get(object), out);
  }
  for (const [object, found] of actual) {
    if (!expected.has(object)) out.push({ object, field: "", expected: undefined, actual: found });
  }
  return out;
}

function compareValues(
  object: string,
  field: string,
  expected: unknown,
  actual: unknown,
  out: Difference[],
): void {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    expected.forEach((item, i) => compareValues(object, `${field}[${i}]`, item, actual[i], out));
    return;
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (const item of without(expected, actual)) {
      out.push({ object, field: `${field}[]`, expected: item, actual: undefined });
    }
    for (const item of without(actual, expected)) {
      out.push({ object, field: `${field}[]`, expected: undefined, actual: item });
    }
    return;
  }
  if (isRecord(expected) && isRecord(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      compareValues(
        object,
        field === "" ? key : `${field}.${key}`,
        expected[key],
        actual[key],
        out,
      );
    }
    return;
  }
  if (showJson(expected) === showJson(actual)) return;
  out.push({ object, field, expected, actual });
}

/** Returns the items that `others` lacks. An item that occurs twice must be in `others` twice. */
function without(items: readonly unknown[], others: readonly unknown[]): unknown[] {
  const rest = others.map((item) => showJson(item));
  return items.filter((item) => {
    const index = rest.indexOf(showJson(item));
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** Returns a difference in words. */
export function describeDifference({ object, field, expected, actual }: Difference): string {
  if (field === "" && (expected === undefined || actual === undefined)) {
    return expected === undefined ? `${object} exists, and should not` : `${object} is missing`;
  }
  if (field.endsWith("[]")) {
    const list = field === "[]" ? object : `${object}: ${field.slice(0, -2)}`;
    return actual === undefined
      ? `${list} should have ${shown(expected)} and has not`
      : `${list} should not have ${shown(actual)} and has`;
  }
  const what = field === "" ? object : `${object}: ${field}`;
  return `${what} should be ${shown(expected)} and is ${shown(actual)}`;
}

/** Describes a difference between the steps of a workload and objects that are created as they are wanted in the end. */
export function describeWays({ object, field, expected, actual }: Difference): string {
  const what = field === "" ? object : `${object}: ${field}`;
  const state = (value: unknown) =>
    field !== "" ? `is ${shown(value)}` : value === undefined ? "does not exist" : "exists";
  return `${what} ${state(expected)} after the steps of the workload, and ${
    state(actual)
  } if the objects are created as they are wanted in the end`;
}

function shown(value: unknown): string {
  if (value === undefined) return "absent";
  const text = showJson(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
