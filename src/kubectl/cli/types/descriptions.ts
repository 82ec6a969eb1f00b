import { isRecord, showJson } from "@kubeloop/controller/internal/base";

/** The maximum length of a paragraph about a field that is repeated at its type, in characters. */
const MAX_SUMMARY = 200;

/** The maximum length of a default in a comment, in characters. */
const MAX_DEFAULT = 60;

/** The maximum number of entries of a default in a comment. */
const MAX_ENTRIES = 5;

/** Returns the description of a schema. */
export function about(
  { description }: Record<string, unknown>,
): { description: string | undefined } {
  return { description: typeof description === "string" ? description : undefined };
}

/** Returns the schema of a field with a short description for its type. The full description is at the field. */
export function summarized(field: unknown): unknown {
  if (!isRecord(field)) return field;
  const [paragraph = ""] = (about(field).description ?? "").trim().split("\n\n");
  const isShort = paragraph !== "" && paragraph.length <= MAX_SUMMARY;
  return { ...field, description: isShort ? paragraph : undefined };
}

/** Returns the description of a field, with the default that the server sets. */
export function describeField(schema: Record<string, unknown>): string | undefined {
  const { description } = about(schema);
  const value = /default/i.test(description ?? "")
    ? undefined
    : shortJson(schema["default"] ?? undefined);
  if (value === undefined) return description;
  const shown = `Default \`${value}\`.`;
  return description === undefined ? shown : `${description}\n\n${shown}`;
}

/** Returns the JSON of a short value; undefined for others. YAML aliases can make a small text a huge value. */
function shortJson(value: unknown): string | undefined {
  const entries = typeof value === "object" && value !== null ? Object.values(value) : [value];
  const isSimple = (one: unknown) =>
    typeof one === "string" ? one.length <= MAX_DEFAULT : one === null || typeof one !== "object";
  if (value === undefined || entries.length > MAX_ENTRIES || !entries.every(isSimple)) {
    return undefined;
  }
  const text = showJson(value);
  return text.length > MAX_DEFAULT || text.includes("`") ? undefined : text;
}
