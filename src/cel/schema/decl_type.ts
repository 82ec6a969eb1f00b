import { getArray, getOwn, getString, type JsonObject } from "../../values/mod.ts";
import type { Structural } from "../../structural/mod.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  structOf,
  TIMESTAMP,
} from "../types/mod.ts";
import { escapeField } from "./escape.ts";

/** The size of the largest request, in bytes. */
export const MAX_REQUEST_SIZE: number = 3 * 1024 * 1024;

/** A type with the sizes that values of a schema may have. */
export interface DeclType {
  readonly type: CelType;
  /** The maximum number of items, entries, characters or bytes; 0 for types without a size. */
  readonly maxElements: number;
  /** The size of the smallest value as JSON, in bytes. */
  readonly minSize: number;
  /** The type of items or values. */
  readonly elements?: DeclType;
  /** The type of keys. */
  readonly keys?: DeclType;
  /** The types of fields, by their escaped names. */
  readonly fields?: ReadonlyMap<string, DeclType>;
}

const TEXT: DeclType = { type: STRING, maxElements: 0, minSize: 2 };
const PLAIN_TEXT: DeclType = { type: STRING, maxElements: MAX_REQUEST_SIZE - 2, minSize: 2 };
const FORMATS: Readonly<Record<string, DeclType>> = {
  duration: { type: DURATION, maxElements: 32, minSize: 3 },
  date: { type: TIMESTAMP, maxElements: 12, minSize: 12 },
  "date-time": { type: TIMESTAMP, maxElements: 32, minSize: 21 },
};

function limit(raw: JsonObject, name: string): number | undefined {
  const value = getOwn(raw, name);
  return typeof value === "number" ? Math.max(0, value) : undefined;
}

/**
 * Returns the type of the values of a schema; undefined if expressions cannot use them.
 *
 * @param root Whether the schema is that of a whole object, which has apiVersion, kind and metadata.
 * @param name The name of the type, if it is an object.
 */
export function declTypeOf(
  schema: Structural,
  root: boolean,
  name: string,
): DeclType | undefined {
  const { raw } = schema;
  if (schema.intOrString) {
    const length = limit(raw, "maxLength");
    return {
      type: DYN,
      maxElements: length === undefined ? MAX_REQUEST_SIZE - 2 : length * 4,
      minSize: 1,
    };
  }
  switch (root ? "object" : schema.type) {
    case "array":
      return listType(schema, name);
    case "object":
      return objectType(schema, root, name);
    case "string":
      return textType(raw);
    case "boolean":
      return { type: BOOL, maxElements: 0, minSize: 4 };
    case "number":
      return { type: DOUBLE, maxElements: 0, minSize: 1 };
    case "integer":
      return { type: INT, maxElements: 0, minSize: 1 };
    default:
      return undefined;
  }
}

function listType({ items, raw }: Structural, name: string): DeclType | undefined {
  const elements = items && declTypeOf(items, items.embedded, `${name}.@idx`);
  if (elements === undefined) return undefined;
  return {
    type: listOf(elements.type),
    maxElements: limit(raw, "maxItems") ??
      Math.floor((MAX_REQUEST_SIZE - 2) / (elements.minSize + 1)),
    minSize: 2,
    elements,
  };
}

function textType(raw: JsonObject): DeclType {
  const format = getString(raw, "format");
  const length = limit(raw, "maxLength");
  if (format === "byte") {
    return { type: BYTES, maxElements: length ?? MAX_REQUEST_SIZE - 2, minSize: 2 };
  }
  const formatted = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (formatted !== undefined) return formatted;
  if (length !== undefined) return { ...PLAIN_TEXT, maxElements: length * 4 };
  const options = getArray(raw, "enum");
  if (options.length === 0) return PLAIN_TEXT;
  const sizes = options.map((option) => typeof option === "string" ? option.length : 0);
  return { ...PLAIN_TEXT, maxElements: Math.max(...sizes) };
}

function objectType(schema: Structural, root: boolean, name: string): DeclType | undefined {
  const { additional, properties, raw } = schema;
  if (typeof additional === "object") {
    const elements = declTypeOf(additional, additional.embedded, `${name}.@elem`);
    if (elements === undefined) return undefined;
    return {
      type: mapOf(STRING, elements.type),
      maxElements: limit(raw, "maxProperties") ??
        Math.floor((MAX_REQUEST_SIZE - 2) / (elements.minSize + 6)),
      minSize: 2,
      keys: TEXT,
      elements,
    };
  }
  const required = new Set(getArray(raw, "required"));
  const fields = new Map<string, DeclType>();
  let minSize = 2;
  const add = (field: string, type: DeclType | undefined, hasDefault: boolean) => {
    if (type === undefined) return;
    const escaped = escapeField(field);
    if (escaped !== undefined) fields.set(escaped, type);
    if (required.has(field) && !hasDefault) minSize += field.length + type.minSize + 4;
  };
  for (const [field, property] of properties) {
    if (root && ["apiVersion", "kind", "metadata"].includes(field)) continue;
    const escaped = escapeField(field) ?? field;
    const type = declTypeOf(property, property.embedded, `${name}.${escaped}`);
    add(field, type, property.default !== undefined);
  }
  if (root) {
    add("apiVersion", PLAIN_TEXT, false);
    add("kind", PLAIN_TEXT, false);
    add("metadata", metadataType(schema, name), false);
  }
  const types = new Map([...fields].map(([field, { type }]) => [field, type]));
  return { type: structOf(name, types), maxElements: 0, minSize, fields };
}

/** Returns the type of the metadata that expressions can see: the names. */
function metadataType(schema: Structural, name: string): DeclType {
  const own = schema.properties.get("metadata")?.properties;
  const field = (key: string) => {
    const property = own?.get(key);
    return (property && declTypeOf(property, false, "")) ?? PLAIN_TEXT;
  };
  const fields = new Map([["name", field("name")], ["generateName", field("generateName")]]);
  const types = new Map([...fields].map(([key, { type }]) => [key, type]));
  return { type: structOf(`${name}.metadata`, types), maxElements: 0, minSize: 2, fields };
}
