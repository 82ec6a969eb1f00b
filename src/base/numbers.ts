/**
 * Refuses what no clock can wait for: NaN and the infinities.
 *
 * @throws {RangeError} When `value` is not a finite number.
 */
export function requireFinite(name: string, value: number): void {
  if (!Number.isFinite(value)) {
    throw new RangeError(`${name} must be a finite number of milliseconds: received ${value}`);
  }
}

/**
 * Refuses what cannot be the length of a delay.
 *
 * @throws {RangeError} When `value` is not a finite number of at least 0.
 */
export function requireDelay(name: string, value: number): void {
  requireFinite(name, value);
  if (value < 0) throw new RangeError(`${name} must not be negative: received ${value}`);
}

/**
 * Refuses what cannot be a limit of time, of which `Infinity` means none.
 *
 * @throws {RangeError} When `value` is not a number above 0.
 */
export function requireTimeLimit(name: string, value: number): void {
  if (typeof value === "number" && value > 0) return;
  throw new RangeError(
    `${name} must be a number of milliseconds above 0, or Infinity for no limit: received ${value}`,
  );
}

/**
 * Refuses what cannot be a number of things, or is less than `least`.
 *
 * @throws {RangeError} When `value` is not a whole number of at least `least`.
 */
export function requireCount(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`${name} must be a whole number of at least ${least}: received ${value}`);
  }
}

/**
 * Applies a check to each of `options` that is set.
 *
 * @param check One of the checks of this file.
 * @param options Options by name; undefined ones pass.
 */
export function requireEach(
  check: (name: string, value: number) => void,
  options: Readonly<Record<string, number | undefined>>,
): void {
  for (const [name, value] of Object.entries(options)) if (value !== undefined) check(name, value);
}
