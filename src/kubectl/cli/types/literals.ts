/** Returns the TypeScript literal of a scalar; undefined for other values. */
export function literalOf(value: unknown): string | undefined {
  if (typeof value === "string") return textLiteral(value);
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return String(value);
  return undefined;
}

/** Returns a string literal with the quotes that need fewer escapes, as in `deno fmt`. */
export function textLiteral(text: string): string {
  const quoted = JSON.stringify(text);
  if (text.split('"').length <= text.split("'").length) return quoted;
  return `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Returns the name of a field for an interface, quoted if necessary. */
export function fieldName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : textLiteral(name);
}
