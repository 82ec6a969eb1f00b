import { describeValue } from "./describe_value.ts";

/**
 * Checks that `value` is a finite number: a clock cannot wait for NaN or an infinity.
 *
 * @throws {RangeError} If `value` is not a finite number.
 */
export function requireFinite(name: string, value: number): void {
  if (!Number.isFinite(value)) {
    throw new RangeError(
      `${name} must be a finite number of milliseconds: received ${describeValue(value)}`,
    );
  }
}

/**
 * Checks that `value` can be a delay.
 *
 * @throws {RangeError} If `value` is not a finite number of at least 0.
 */
export function requireDelay(name: string, value: number): void {
  requireFinite(name, value);
  if (value < 0) throw new RangeError(`${name} must not be negative: received ${value}`);
}

/**
 * Checks that `value` can be a time limit. `Infinity` means no limit.
 *
 * @throws {RangeError} If `value` is not a number above 0.
 */
export function requireTimeLimit(name: string, value: number): void {
  if (typeof value === "number" && value > 0) return;
  throw new RangeError(
    `${name} must be a number of milliseconds above 0, or Infinity for no limit: received ${
      describeValue(value)
    }`,
  );
}

/**
 * Checks that `value` is a whole number of at least `least`.
 *
 * @throws {RangeError} If `value` is not a whole number of at least `least`.
 */
export function requireCount(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(
      `${name} must be a whole number of at least ${least}: received ${describeValue(value)}`,
    );
  }
}

/**
 * Applies `check` to each of `options` that is set.
 *
 * @param check One of the checks of this file.
 * @param options The options by name. Options that are undefined are not checked.
 */
export function requireEach(
  check: (name: string, value: number) => void,
  options: Readonly<Record<string, number | undefined>>,
): void {
  for (const [name, value] of Object.entries(options)) if (value !== undefined) check(name, value);
}
