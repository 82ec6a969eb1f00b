/** A text that holds a number, as an environment variable gives it. */
const NUMERIC = /^-?[0-9.]{1,20}$/;

/**
 * Describes `value` for an error message. Strings are not shown, because they may be a whole object or a secret, except for
 * numbers as texts: they look like the expected value without their quotes.
 */
export function describeValue(value: unknown): string {
  if (value === "") return '""';
  if (typeof value === "string" && NUMERIC.test(value)) return `the text "${value}"`;
  if (Array.isArray(value)) return "an array";
  switch (typeof value) {
    case "string":
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    case "object":
      return value === null ? "null" : "an object";
    default:
      return String(value);
  }
}
