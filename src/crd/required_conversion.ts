import { isRecord, jsonEqual } from "../base/mod.ts";
import type { CustomResourceDefinition, DeepReadonly } from "../types/mod.ts";

/** Keywords that do not affect the fields of objects. */
const WORDS: ReadonlySet<string> = new Set(["description", "example", "externalDocs", "title"]);

/**
 * Requires a conversion between versions with different schemas. Without a conversion, the API server drops the fields that
 * the other version does not have, and the next write loses them.
 *
 * @param definition The definition.
 * @param hasWebhook Whether a webhook converts the objects.
 * @throws {TypeError} If the definition has no conversion.
 */
export function requireConversion(
  { metadata: { name }, spec }: DeepReadonly<CustomResourceDefinition>,
  hasWebhook: boolean,
): void {
  if (hasWebhook || spec.conversion !== undefined) return;
  // Versions that are neither served nor stored need no conversion, unless objects are still stored in them.
  const inUse = (spec.versions ?? []).filter(({ served, storage }) => served || storage);
  const [first, ...others] = inUse;
  if (first === undefined) return;
  const other = others.find(({ schema }) => !isSameSchema(schema, first.schema));
  if (other === undefined) return;
  throw new TypeError(
    `Cannot install the CustomResourceDefinition ${name}: its versions ${first.name} and ${other.name} have ` +
      "different schemas, and nothing converts objects between them, so that fields would be lost. " +
      `Add conversion(…, { "${other.name}": { toHub, fromHub } }) to the webhooks. Or, if each version has all fields of ` +
      'the others, say conversion: "None" in defineResource(), or give the definition a spec.conversion',
  );
}

/** Reports whether two schemas are equal except for descriptions. */
function isSameSchema(one: unknown, other: unknown): boolean {
  return jsonEqual(withoutWords(one, false), withoutWords(other, false));
}

/** Returns a schema without descriptions. With `areNames`, the keys are names of fields, such as a field `description`. */
function withoutWords(value: unknown, areNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutWords(item, false));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => areNames || !WORDS.has(key))
      .map(([key, one]) => [key, withoutWords(one, !areNames && key === "properties")]),
  );
}
