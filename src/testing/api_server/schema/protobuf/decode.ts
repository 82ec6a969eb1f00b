import {
  type Field,
  isTooDeep,
  type Json,
  type JsonObject,
  readJson,
  type ScalarType,
  setOwn,
  type StructType,
  type Type,
} from "../../../values/mod.ts";
import type { Named } from "./named.ts";
import { fieldsByNumber, type NumberedFields } from "./fields_by_number.ts";
import { MAGIC, ProtobufError, type WireField, wireField, wireFields } from "./wire.ts";

/** The maximum nesting depth of messages. */
const MAX_DEPTH = 100;

const text = new TextDecoder();

/**
 * Decodes an object in Kubernetes' protobuf encoding, in which client-go sends built-in kinds, to the equivalent JSON.
 *
 * @throws {ProtobufError} If `bytes` is not such an object.
 */
export function decodeProtobuf(bytes: Uint8Array, schema: StructType): JsonObject {
  const { apiVersion, kind } = decodeNamed(bytes);
  const raw = bytesOf(bytes.subarray(MAGIC.length), 2);
  return { kind, apiVersion, ...struct(raw, schema, 0) };
}

/**
 * Decodes the kind and the version of an object.
 *
 * @throws {ProtobufError} If `bytes` is not an object in Kubernetes' protobuf encoding.
 */
export function decodeNamed(bytes: Uint8Array): Named {
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${
        MAGIC.join(" ")
      }]`,
    );
  }
  const typeMeta = bytesOf(bytes.subarray(MAGIC.length), 1);
  return { apiVersion: text.decode(bytesOf(typeMeta, 1)), kind: text.decode(bytesOf(typeMeta, 2)) };
}

/** An event of a watch, whose object is in its envelope. */
export interface FrameEvent {
  /** The type of the event. */
  readonly type: string;
  /** The bytes of the object. */
  readonly object: Uint8Array;
}

/**
 * Decodes the frames of a watch: four bytes of length, and a `WatchEvent`. A frame that is cut off is left out.
 *
 * @throws {ProtobufError} If a frame is malformed.
 */
export function* decodeFrames(bytes: Uint8Array): Generator<FrameEvent> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 4 <= bytes.length;) {
    const start = at + 4;
    at = start + view.getUint32(at);
    if (at > bytes.length) return;
    const event = bytes.subarray(start, at);
    yield { type: text.decode(bytesOf(event, 1)), object: bytesOf(bytesOf(event, 2), 1) };
  }
}

/** Returns the bytes of a field; none if the message does not have the field. */
function bytesOf(message: Uint8Array, number: number): Uint8Array {
  return asBytes(wireField(message, number) ?? new Uint8Array());
}

function struct(bytes: Uint8Array, schema: StructType, depth: number): JsonObject {
  if (depth > MAX_DEPTH) throw new ProtobufError("messages lie too deep in each other");
  const out: JsonObject = {};
  fill(out, bytes, fieldsByNumber(schema), depth);
  return out;
}

function fill(
  out: JsonObject,
  bytes: Uint8Array,
  fields: NumberedFields,
  depth: number,
): void {
  for (const { number, value } of wireFields(bytes)) {
    const target = fields.get(number);
    // Skip unknown fields, such as fields of a newer version.
    if (target === undefined) continue;
    if (target instanceof Map) fill(out, asBytes(value), target, depth);
    else add(out, target as Field, value, depth);
  }
}

/** Adds a wire value to its field. Every item of a list and every entry of a map is a wire field of its own. */
function add(out: JsonObject, field: Field, value: WireField["value"], depth: number): void {
  const { name, type, presence } = field;
  if (type.kind === "list") {
    const items = (out[name] ??= []) as Json[];
    for (const item of listItems(value, type.item, depth)) items.push(item);
  } else if (type.kind === "map") {
    const entry = asBytes(value);
    const key = text.decode(bytesOf(entry, 1));
    const item = wireField(entry, 2) ??
      (type.value.kind === "scalar" && isNumber(type.value) ? 0 : new Uint8Array());
    setOwn((out[name] ??= {}) as JsonObject, key, single(item, type.value, depth));
  } else {
    const decoded = single(value, type, depth);
    // In protobuf, Go encodes fields that are not pointers even if they are empty; in JSON it may omit them.
    const isJson = type.kind === "any" && decoded !== null;
    if (presence !== "set" || isJson || !isZero(decoded)) out[name] = decoded;
  }
}

/** Decodes one item, or several packed numbers. */
function listItems(value: WireField["value"], item: Type, depth: number): Json[] {
  if (item.kind !== "scalar" || !isNumber(item) || typeof value === "number") {
    return [single(value, item, depth)];
  }
  // Packed numbers are varints without tags. With a tag before each (8: field 1, varint), wireFields can read them.
  const tagged: number[] = [];
  let start = true;
  for (const byte of value) {
    if (start) tagged.push(8);
    tagged.push(byte);
    start = byte < 0x80;
  }
  return [...wireFields(Uint8Array.from(tagged))].map((field) => single(field.value, item, depth));
}

function single(value: WireField["value"], type: Type, depth: number): Json {
  switch (type.kind) {
    case "struct":
      return type.orBool === true
        ? structOrBool(asBytes(value), type, depth)
        : struct(asBytes(value), type, depth + 1);
    case "scalar":
      return scalar(value, type);
    case "any":
      return json(bytesOf(asBytes(value), 1));
    case "list":
      // A list that is a value of a map is wrapped in a message of its own.
      return [...wireFields(asBytes(value))].flatMap((field) =>
        listItems(field.value, type.item, depth)
      );
    case "map":
      throw new ProtobufError("a map within a map");
  }
}

function structOrBool(bytes: Uint8Array, type: StructType, depth: number): Json {
  const inner = wireField(bytes, 2);
  return inner === undefined ? wireField(bytes, 1) === 1 : struct(asBytes(inner), type, depth + 1);
}

function scalar(value: WireField["value"], type: ScalarType): Json {
  switch (type.name) {
    case "string":
      return text.decode(asBytes(value));
    case "bytes":
      return base64(asBytes(value));
    case "bool":
      return asNumber(value) !== 0;
    case "int32":
    case "int64":
      return asNumber(value);
    case "float": {
      const bytes = asBytes(value);
      if (bytes.length !== 8) throw new ProtobufError("a double has eight bytes");
      return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
    }
    case "quantity":
      return text.decode(bytesOf(asBytes(value), 1));
    case "intOrString":
      return wireField(asBytes(value), 1) === 1
        ? text.decode(bytesOf(asBytes(value), 3))
        : asNumber(wireField(asBytes(value), 2) ?? 0);
    case "time":
    case "microTime":
      return time(asBytes(value), type.name);
  }
}

/** Decodes a timestamp; returns null for an empty message, which is an unset time. */
function time(bytes: Uint8Array, name: "time" | "microTime"): Json {
  if (bytes.length === 0) return null;
  const seconds = asNumber(wireField(bytes, 1) ?? 0);
  const nanos = asNumber(wireField(bytes, 2) ?? 0);
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw new ProtobufError("a time out of range");
  const head = date.toISOString().slice(0, 19);
  if (name === "time") return `${head}Z`;
  return `${head}.${String(Math.floor(nanos / 1000)).padStart(6, "0")}Z`;
}

function json(bytes: Uint8Array): Json {
  if (bytes.length === 0) return null;
  let value: Json;
  try {
    value = readJson(text.decode(bytes));
  } catch (error) {
    throw new ProtobufError("a raw value that is not JSON", { cause: error });
  }
  if (isTooDeep(value)) throw new ProtobufError("a raw value that is too deep");
  return value;
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function isNumber({ name }: ScalarType): boolean {
  return name === "bool" || name === "int32" || name === "int64";
}

function isZero(value: Json): boolean {
  if (value === null || value === "" || value === 0 || value === false) return true;
  return typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0;
}

function asBytes(value: WireField["value"]): Uint8Array {
  if (typeof value === "number") throw new ProtobufError("wrong wireType");
  return value;
}

function asNumber(value: WireField["value"]): number {
  if (typeof value !== "number") throw new ProtobufError("wrong wireType");
  return value;
}
