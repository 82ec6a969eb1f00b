import { formatQuantity, parseQuantity } from "@kubeloop/controller/internal/base";
import {
  getObject,
  getString,
  type JsonObject,
  roundUpToMilli,
  setOwn,
} from "../../../values/mod.ts";

/** Amounts by the names that a ResourceQuota has for them. */
export type Usage = Readonly<Record<string, string>>;

/** Returns the sum of two amounts. */
export function addAmounts(a: string, b: string): string {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left === undefined) return b;
  if (right === undefined) return a;
  const format = left.nano === 0n ? right.format : left.format;
  return formatQuantity({ nano: left.nano + right.nano, format });
}

/** Returns `a` minus `b`, or zero if `b` is larger. */
export function moreThan(a: string, b: string): string {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left === undefined || right === undefined) return a;
  const nano = left.nano - right.nano;
  return formatQuantity({ nano: nano > 0n ? nano : 0n, format: left.format });
}

/** Returns the larger of two amounts; the first one if they are equal. */
export function largerAmount(a: string, b: string): string {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left === undefined) return b;
  return right !== undefined && right.nano > left.nano ? b : a;
}

/** Reports whether two usages have the same amounts under the same names. */
export function isSameUsage(a: Usage, b: Usage): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => {
    if (!Object.hasOwn(b, name)) return false;
    const [left, right] = [parseQuantity(a[name]!), parseQuantity(b[name]!)];
    return left === undefined || right === undefined
      ? a[name] === b[name]
      : left.nano === right.nano;
  });
}

/** Rounds the quantities of the named maps up to thousandths, as the server does with all amounts of resources. */
export function roundAll(object: JsonObject, ...names: string[]): void {
  for (const name of names) {
    const amounts = getObject(object, name);
    for (const key of Object.keys(amounts)) {
      setOwn(amounts, key, roundUpToMilli(getString(amounts, key)));
    }
  }
}
