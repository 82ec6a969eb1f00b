/** Refuses what no clock can wait for: NaN and the infinities. */
export function requireFinite(name: string, value: number): void {
  if (!Number.isFinite(value)) {
    throw new RangeError(`${name} must be a finite number of milliseconds: received ${value}`);
  }
}

/** Refuses what cannot be the length of a delay. */
export function requireDelay(name: string, value: number): void {
  requireFinite(name, value);
  if (value < 0) throw new RangeError(`${name} must not be negative: received ${value}`);
}

/** Refuses what cannot be a number of things, or is less than `least`. */
export function requireCount(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`${name} must be a whole number of at least ${least}: received ${value}`);
  }
}
