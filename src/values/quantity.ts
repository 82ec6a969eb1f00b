import { formatQuantity, parseQuantity, storedQuantity } from "../base/mod.ts";
import type { Json } from "./json.ts";

/** The error message for a string that is not a quantity. */
export const QUANTITY_ERROR =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Matches a quantity without a valid suffix. */
const WITH_SUFFIX = /^[+-]?[0-9]*(?:\.[0-9]*)?(?:(?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/;

/** Returns the error message for a value that is not a quantity. */
export function quantityError(value: Json): string {
  if (typeof value !== "string" || value === "" || !WITH_SUFFIX.test(value)) return QUANTITY_ERROR;
  return "unable to parse quantity's suffix";
}

/** One, and one thousandth, in billionths. */
const ONE = 1_000_000_000n;
const MILLI = 1_000_000n;

/** Compares two quantities; returns -1, 0 or 1, or undefined if one of them is not a quantity. */
export function compareQuantities(a: string, b: string): number | undefined {
  const left = parseQuantity(a);
  const right = parseQuantity(b);
  if (left === undefined || right === undefined) return undefined;
  return left.nano < right.nano ? -1 : left.nano > right.nano ? 1 : 0;
}

/** Rounds a quantity up to a multiple of one thousandth; a string that is not a quantity is returned unchanged. */
export function roundUpToMilli(text: string): string {
  return roundUp(text, MILLI);
}

/** Rounds a quantity up to a whole number; a string that is not a quantity is returned unchanged. */
export function roundUpToWhole(text: string): string {
  return roundUp(text, ONE);
}

function roundUp(text: string, step: bigint): string {
  const parsed = parseQuantity(text);
  if (parsed === undefined) return text;
  const rest = parsed.nano % step;
  if (rest === 0n) return storedQuantity(text) as string;
  const nano = parsed.nano - rest + (parsed.nano > 0n ? step : 0n);
  return formatQuantity({ nano, format: parsed.format });
}

/** Returns a quantity as a whole number, rounded away from zero, as error messages show it. */
export function wholeAmount(text: string): number {
  const { nano } = parseQuantity(text)!;
  const rest = nano % ONE === 0n ? 0n : nano < 0n ? -1n : 1n;
  return Number(nano / ONE + rest);
}
