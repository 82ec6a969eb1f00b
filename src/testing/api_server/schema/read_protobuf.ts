import type { JsonObject } from "../../values/mod.ts";
import { answerSchema } from "./answer_schema.ts";
import { MINOR_VERSIONS } from "../release/mod.ts";
import { type Schemas, schemasOf } from "./builtin.ts";
import { decodeFrames, decodeNamed, decodeProtobuf } from "./protobuf/mod.ts";
import { canonical } from "./typed.ts";

/** The schemas of the newest version, which has nearly all fields of the others. */
const NEWEST = MINOR_VERSIONS.at(-1)!;

/**
 * Reads an answer in protobuf: an object or a list of a built-in kind, as the same answer in JSON has it.
 *
 * @throws {ProtobufError} If it is malformed.
 * @throws {RangeError} If it is of another kind.
 */
export function readProtobuf(bytes: Uint8Array, schemas: Schemas = schemasOf(NEWEST)): JsonObject {
  const { apiVersion, kind } = decodeNamed(bytes);
  const schema = answerSchema(schemas, apiVersion, kind);
  const rest = canonical(decodeProtobuf(bytes, schema), schema);
  const object = { kind, apiVersion, ...rest };
  // In JSON, a list of no items is not null.
  return schema.fields.has("items") && kind.endsWith("List")
    ? { ...object, items: rest["items"] ?? [] }
    : object;
}

/**
 * Reads the events of a watch in protobuf. An event that is cut off is left out.
 *
 * @throws {ProtobufError} If one is malformed.
 * @throws {RangeError} If an object is of another kind.
 */
export function readFrames(
  bytes: Uint8Array,
  schemas: Schemas = schemasOf(NEWEST),
): { type: string; object: JsonObject }[] {
  return [...decodeFrames(bytes)].map(({ type, object }) => ({
    type,
    object: readProtobuf(object, schemas),
  }));
}
