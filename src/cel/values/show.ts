import {
  CelList,
  Duration,
  isCelMap,
  isOpaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./value.ts";

/** Formats a number as Go's shortest form does: with an exponent from `limit` digits before the point. */
export function showDouble(value: number, limit = 21): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < limit) return plain(digits, exponent);
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits}e${exponent < 0 ? "-" : "+"}${size}`;
}

/** Formats digits such as `-1.25` times a power of ten without an exponent. */
function plain(digits: string, exponent: number): string {
  const sign = digits.startsWith("-") ? "-" : "";
  const all = digits.replace("-", "").replace(".", "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${all}`;
  const whole = all.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const rest = all.slice(exponent + 1);
  return sign + whole + (rest === "" ? "" : `.${rest}`);
}

/** Formats a duration as seconds. */
export function showDuration({ nanos }: Duration): string {
  return `${plainNumber(Number(nanos) / 1e9)}s`;
}

/** Formats a number without an exponent. */
export function plainNumber(value: number): string {
  if (value === 0) return "0";
  const [digits = "", power = "0"] = value.toExponential().split("e");
  return plain(digits, Number(power));
}

function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

/** Formats a time as RFC 3339 does, with as many digits of the second as it needs. */
export function showTimestamp({ nanos, offsetMinutes }: Timestamp): string {
  const local = nanos + BigInt(offsetMinutes) * 60_000_000_000n;
  const seconds = local >= 0n
    ? local / 1_000_000_000n
    : -((-local + 999_999_999n) / 1_000_000_000n);
  const rest = local - seconds * 1_000_000_000n;
  const fraction = rest === 0n ? "" : `.${withoutZeros(String(rest).padStart(9, "0"))}`;
  const iso = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  if (offsetMinutes === 0) return `${iso}${fraction}Z`;
  const size = Math.abs(offsetMinutes);
  const pad = (value: number) => String(value).padStart(2, "0");
  const zone = `${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
  return `${iso}${fraction}${offsetMinutes < 0 ? "-" : "+"}${zone}`;
}

/** Formats a value as the messages of the real server do. */
export function showValue(value: Value): string {
  if (value === null) return "NULL_VALUE";
  if (typeof value === "number") return showDouble(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return `[${[...value].join(" ")}]`;
  if (value instanceof Duration) return showDuration(value);
  if (value instanceof Timestamp) return showTimestamp(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof CelList) return `[${value.items.map(showValue).join(", ")}]`;
  if (value instanceof Optional) {
    return value.value === undefined ? "optional.none()" : `optional(${showValue(value.value)})`;
  }
  if (isCelMap(value)) {
    const entries = value.keys().map((key) => `${showValue(key)}: ${showValue(value.get(key)!)}`);
    return `{${entries.join(", ")}}`;
  }
  return isOpaque(value) ? String(value) : "unknown";
}
