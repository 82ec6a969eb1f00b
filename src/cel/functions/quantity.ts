import { parseQuantity } from "../../base/mod.ts";
import { QUANTITY_ERROR } from "../../values/mod.ts";
import { QUANTITY } from "../types/mod.ts";
import { CelError, type Opaque } from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";

const NANO = 1_000_000_000n;

/** A quantity. */
class QuantityValue implements Opaque {
  readonly opaque = QUANTITY;
  readonly nano: bigint;
  /** Whether the quantity is written without a fraction, as `asInteger` wants it. */
  readonly whole: boolean;

  constructor(nano: bigint, whole: boolean) {
    this.nano = nano;
    this.whole = whole;
  }

  equals(other: Opaque): boolean {
    return other instanceof QuantityValue && this.nano === other.nano;
  }

  toString(): string {
    return String(Number(this.nano) / 1e9);
  }
}

/** Reports whether a quantity is written without a fraction: the real server keeps `1000m` and `1.0` as fractions. */
function isWhole(text: string): boolean {
  if (/[mun]$/.test(text)) return false;
  const [, fraction = "", suffix = ""] = /^[+-]?\d*(?:\.(\d*))?([a-zA-Z].*)?$/.exec(text) ?? [];
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1];
  const decimal = "kMGTPE".indexOf(suffix) + 1;
  const scale = exponent !== undefined ? Number(exponent) : suffix === "" ? 0 : decimal * 3;
  return scale >= fraction.length;
}

function read(text: string): QuantityValue | undefined {
  const parsed = parseQuantity(text);
  return parsed === undefined ? undefined : new QuantityValue(parsed.nano, isWhole(text));
}

function toQuantity(text: string): QuantityValue {
  const quantity = read(text);
  if (quantity === undefined) throw new CelError(QUANTITY_ERROR);
  return quantity;
}

function integer({ nano, whole }: QuantityValue): bigint | undefined {
  if (!whole || nano % NANO !== 0n) return undefined;
  const value = nano / NANO;
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function toInteger(quantity: QuantityValue): bigint {
  const value = integer(quantity);
  if (value === undefined) throw new CelError("cannot convert value to integer");
  return value;
}

function compare(a: QuantityValue, b: QuantityValue): bigint {
  return a.nano < b.nano ? -1n : a.nano > b.nano ? 1n : 0n;
}

function sum(a: QuantityValue, nano: bigint, whole: boolean): QuantityValue {
  return new QuantityValue(a.nano + nano, a.whole && whole);
}

/** The functions of quantities. */
export const QUANTITIES: readonly Overload[] = [
  define("quantity", "string_to_quantity", "string -> Quantity", toQuantity),
  define(
    "isQuantity",
    "is_quantity_string",
    "string -> bool",
    (text: string) => read(text) !== undefined,
  ),
  define(
    "sign",
    "quantity_sign",
    "Quantity -> int",
    ({ nano }: QuantityValue) => nano > 0n ? 1n : nano < 0n ? -1n : 0n,
  ),
  define(
    "isGreaterThan",
    "quantity_is_greater_than",
    "Quantity.Quantity -> bool",
    (a: QuantityValue, b: QuantityValue) => compare(a, b) > 0n,
  ),
  define(
    "isLessThan",
    "quantity_is_less_than",
    "Quantity.Quantity -> bool",
    (a: QuantityValue, b: QuantityValue) => compare(a, b) < 0n,
  ),
  define("compareTo", "quantity_compare_to", "Quantity.Quantity -> int", compare),
  define(
    "asApproximateFloat",
    "quantity_get_float",
    "Quantity. -> double",
    ({ nano }: QuantityValue) => Number(nano) / 1e9,
  ),
  define("asInteger", "quantity_get_int", "Quantity. -> int", toInteger),
  define(
    "isInteger",
    "quantity_is_integer",
    "Quantity. -> bool",
    (quantity: QuantityValue) => integer(quantity) !== undefined,
  ),
  define(
    "add",
    "quantity_add",
    "Quantity.Quantity -> Quantity",
    (a: QuantityValue, b: QuantityValue) => sum(a, b.nano, b.whole),
  ),
  define(
    "add",
    "quantity_add_int",
    "Quantity.int -> Quantity",
    (a: QuantityValue, b: bigint) => sum(a, b * NANO, true),
  ),
  define(
    "sub",
    "quantity_sub",
    "Quantity.Quantity -> Quantity",
    (a: QuantityValue, b: QuantityValue) => sum(a, -b.nano, b.whole),
  ),
  define(
    "sub",
    "quantity_sub_int",
    "Quantity.int -> Quantity",
    (a: QuantityValue, b: bigint) => sum(a, -b * NANO, true),
  ),
];
