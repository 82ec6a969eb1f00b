import { isInteger, isNumber, isObject, type Json } from "@kubeloop/controller/internal/values";

/** Formats a value as Go's `%v` does. */
export function goPrint(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goPrint).join(" ")}]`;
  if (!isObject(value)) return String(value);
  const members = Object.keys(value).sort().map((key) => `${key}:${goPrint(value[key] ?? null)}`);
  return `map[${members.join(" ")}]`;
}

/** Formats a value as Go's `%s` does, which marks whatever is not a string. */
export function goFormatString(value: Json): string {
  if (value === null) return "%!s(<nil>)";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return `%!s(bool=${value})`;
  if (isNumber(value)) return `%!s(${isInteger(value) ? "int64" : "float64"}=${value})`;
  if (Array.isArray(value)) return `[${value.map(goFormatString).join(" ")}]`;
  const members = Object.keys(value).sort().map((key) =>
    `${key}:${goFormatString(value[key] ?? null)}`
  );
  return `map[${members.join(" ")}]`;
}

/** Formats a float as Go's `%v` does. */
export function goFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  const plain = Math.abs(value) >= 1e-4 && Math.abs(value) < 1e6;
  if (plain || value === 0) return String(value);
  return value.toExponential().replace(/e([-+])([0-9])$/, "e$10$2");
}
