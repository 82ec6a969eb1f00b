/** The maximum length of a quantity: calculations with millions of digits take long. */
const MAX_LENGTH = 1000;

const SHAPE = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(.*)$/s;
const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const NANO = 1_000_000_000n;

/** A quantity: its value in billionths and its suffix family. */
export interface Quantity {
  /** The value times 10⁹. */
  readonly nano: bigint;
  /** The suffix family: `k`, `M`…; `Ki`, `Mi`…; or `e3`, `e6`… */
  readonly format: "decimal" | "binary" | "exponent";
}

/** Parses a quantity such as `500m`, `1Gi` or `1e3`; returns undefined if `text` is not a quantity. */
export function parseQuantity(text: string): Quantity | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, sign, whole = "", fraction = "", suffix = ""] = SHAPE.exec(text) ?? [];
  if (whole === "" && fraction === "") return undefined;
  const scale = parseSuffix(suffix);
  if (scale === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  let nano = digits * NANO * scale.multiplier;
  const divisor = 10n ** BigInt(fraction.length) * scale.divisor;
  // Fractions of a billionth are rounded away from zero.
  nano = (nano + divisor - 1n) / divisor;
  return { nano: sign === "-" ? -nano : nano, format: scale.format };
}

function parseSuffix(
  suffix: string,
): { multiplier: bigint; divisor: bigint; format: Quantity["format"] } | undefined {
  const binary = BINARY_SUFFIXES.indexOf(suffix, 1);
  if (binary > 0) return { multiplier: 1024n ** BigInt(binary), divisor: 1n, format: "binary" };
  const decimal = DECIMAL_SUFFIXES.indexOf(suffix);
  if (decimal >= 0) return { ...power((decimal - 3) * 3), format: "decimal" };
  const exponent = /^[eE]([+-]?[0-9]{1,3})$/.exec(suffix);
  if (exponent === null) return undefined;
  return { ...power(Number(exponent[1])), format: "exponent" };
}

function power(exponent: number): { multiplier: bigint; divisor: bigint } {
  const size = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? { multiplier: 1n, divisor: size } : { multiplier: size, divisor: 1n };
}

/**
 * Formats a quantity in its canonical form: no fraction, the largest suffix that allows this, the same suffix family.
 *
 * A binary quantity is written with a decimal suffix if its value is below 1024 or not an integer.
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
  while (value % 1000n === 0n && (format === "exponent" || step < DECIMAL_SUFFIXES.length - 1)) {
    value /= 1000n;
    step++;
  }
  const exponent = (step - 3) * 3;
  if (format === "exponent") return `${sign}${value}${exponent === 0 ? "" : `e${exponent}`}`;
  return `${sign}${value}${DECIMAL_SUFFIXES[step]}`;
}
