/** The maximum length of a quantity: calculations with millions of digits take long. */
const MAX_LENGTH = 1000;

/** The largest exponent. The API server takes 1e2000000000 too, which would need gigabytes here. */
const MAX_EXPONENT = 10_000;

const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const NANO = 1_000_000_000n;

/** The largest binary quantity, in billionths. */
const MAX_BINARY = (2n ** 63n - 1n) * NANO;

/** A quantity: its value in billionths and its suffix family. */
export interface Quantity {
  /** The value times 10⁹. */
  readonly nano: bigint;
  /** The suffix family: `k`, `M`…; `Ki`, `Mi`…; or `e3`, `e6`… */
  readonly format: "decimal" | "binary" | "exponent";
}

/** The sign, zeros, the other digits before the point, the digits after it, and the suffix. */
const SHAPE =
  /^([+-]?)(0*)((?:[1-9][0-9]*)?)(?:\.([0-9]*))?((?:(?:[eEinumkKMGTP]+[+-]?|[+-])[0-9]*)?)$/;

/** The meaning of a suffix. */
interface Suffix {
  readonly format: Quantity["format"];
  /** The power of two for a binary suffix, else the power of ten. */
  readonly exponent: number;
}

/** The parts of a quantity. */
interface Parts extends Suffix {
  readonly isNegative: boolean;
  /** The digits before and after the point, without leading zeros before it. */
  readonly digits: string;
  /** The number of digits after the point. */
  readonly places: number;
}

/**
 * Parses a quantity such as `500m`, `1Gi` or `1e3`, as `resource.ParseQuantity` of apimachinery does: fractions of a
 * billionth are rounded away from zero, and binary quantities are at most 2^63 - 1.
 *
 * @returns The quantity; undefined if `text` is not one, has more than 1,000 characters or an exponent beyond 10,000.
 */
export function parseQuantity(text: string): Quantity | undefined {
  const parts = partsOf(text);
  if (parts === undefined) return undefined;
  const size = sizeOf(parts);
  const isFraction = parts.format === "binary" && size > 0n && size < NANO;
  return {
    nano: parts.isNegative ? -size : size,
    format: isFraction ? "decimal" : parts.format,
  };
}

/**
 * Returns a quantity as the API server stores it: in canonical form, except for texts such as `+1` and `1E3`, which it
 * keeps.
 *
 * @returns The text; undefined if `text` is not a quantity.
 */
export function storedQuantity(text: string): string | undefined {
  const parts = partsOf(text);
  if (parts === undefined || (isShort(parts) && isKept(parts))) return parts && text;
  return formatQuantity(parseQuantity(text) as Quantity);
}

function partsOf(text: string): Parts | undefined {
  if (text === "" || text.length > MAX_LENGTH) return undefined;
  const [, sign = "", zeros = "", whole = "", fraction = "", rest] = SHAPE.exec(text) ?? [];
  const suffix = rest === undefined ? undefined : parseSuffix(rest);
  if (suffix === undefined) return undefined;
  const digits = (whole || "0") + fraction;
  const parts = { ...suffix, isNegative: sign === "-", digits, places: fraction.length };
  // Without any digit it is zero, but only in the calculation for short ones.
  return zeros + whole + fraction !== "" || isShort(parts) ? parts : undefined;
}

function parseSuffix(suffix: string): Suffix | undefined {
  const binary = BINARY_SUFFIXES.indexOf(suffix, 1);
  if (binary > 0) return { format: "binary", exponent: 10 * binary };
  const decimal = DECIMAL_SUFFIXES.indexOf(suffix);
  if (decimal >= 0) return { format: "decimal", exponent: (decimal - 3) * 3 };
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) <= MAX_EXPONENT ? { format: "exponent", exponent } : undefined;
}

/** Returns the size in billionths. */
function sizeOf({ digits, places, exponent, format }: Parts): bigint {
  const value = BigInt(digits) * NANO;
  if (format === "binary") {
    const size = divide(value << BigInt(exponent), 10n ** BigInt(places));
    return size > MAX_BINARY ? MAX_BINARY : size;
  }
  const power = exponent - places;
  return power >= 0 ? value * 10n ** BigInt(power) : divide(value, 10n ** BigInt(-power));
}

/** Divides, and rounds up. */
function divide(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}

/** Reports whether apimachinery calculates a quantity with 64 bits. */
function isShort({ digits, places, exponent, format }: Parts): boolean {
  if (format !== "binary") return digits.length <= 18 && exponent - places >= -9;
  return places === 0 && digits.length + Math.trunc(exponent * 3 / 10) <= 14;
}

/** Reports whether apimachinery takes a short quantity for canonical, and keeps its text. */
function isKept({ digits, places, exponent, format }: Parts): boolean {
  if (format === "binary") return BigInt(digits) % 8n !== 0n;
  return (exponent - places) % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

/**
 * Formats a quantity in its canonical form: no fraction, the largest suffix that allows this, the same suffix family.
 *
 * A binary quantity is written with a decimal suffix if its value is below 1024 or not an integer. As in apimachinery,
 * a decimal quantity that would need a suffix beyond `E` gets no suffix: `1000E` is written, and stored by the API
 * server, as `1`.
 */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return "0";
  const sign = nano < 0n ? "-" : "";
  const size = nano < 0n ? -nano : nano;
  if (format === "binary" && size % NANO === 0n && size >= 1024n * NANO) {
    let value = size / NANO;
    let step = 0;
    while (value % 1024n === 0n && step < BINARY_SUFFIXES.length - 1) {
      value /= 1024n;
      step++;
    }
    return `${sign}${value}${BINARY_SUFFIXES[step]}`;
  }
  let value = size;
  let step = 0;
  while (value % 1000n === 0n) {
    value /= 1000n;
    step++;
  }
  const exponent = (step - 3) * 3;
  if (format === "exponent") return `${sign}${value}${exponent === 0 ? "" : `e${exponent}`}`;
  return `${sign}${value}${DECIMAL_SUFFIXES[step] ?? ""}`;
}
