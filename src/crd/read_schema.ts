import { describeError, isRecord, showJson } from "../base/mod.ts";
import { isObject, type JsonObject, plainJson } from "./json.ts";
import { convertByLibrary, isStandardSchema, standardProps } from "./libraries.ts";

/**
 * Returns the JSON Schema of a schema, as plain JSON.
 *
 * @param schema A schema of a library, or a JSON Schema.
 * @param path The path of the schema, for errors: `Widget.spec`.
 * @throws {TypeError} If `schema` is not a schema, or its library cannot convert it.
 */
export function readSchema(schema: unknown, path: string): JsonObject {
  const read = plainJson(toJsonSchema(schema, path), path);
  if (!isObject(read)) {
    throw new TypeError(`${path}: a schema is an object, but this is ${showJson(read)}`);
  }
  return read;
}

function toJsonSchema(schema: unknown, path: string): unknown {
  if (isStandardSchema(schema)) {
    try {
      return convertByLibrary(schema);
    } catch (error) {
      const { vendor } = schema["~standard"];
      throw new TypeError(
        `${path}: ${vendor} cannot convert the schema to JSON Schema: ${describeError(error)}`,
        { cause: error },
      );
    }
  }
  const props = standardProps(schema);
  if (props !== undefined) {
    const vendor = isRecord(props) ? String(props["vendor"]) : "the library";
    throw new TypeError(
      `${path}: the schema of ${vendor} has no "~standard".jsonSchema: ${remedy(vendor)}`,
    );
  }
  return schema;
}

function remedy(vendor: string): string {
  if (vendor === "valibot") return "wrap it in toStandardJsonSchema() of @valibot/to-json-schema";
  if (vendor === "zod") return "Zod has it since version 4.2";
  return "take a version of the library that implements StandardJSONSchemaV1";
}
