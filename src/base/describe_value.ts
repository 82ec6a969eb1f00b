/** Describes `value` for an error message. Strings are not shown, because they may be a whole object or a secret. */
export function describeValue(value: unknown): string {
  if (value === "") return '""';
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
