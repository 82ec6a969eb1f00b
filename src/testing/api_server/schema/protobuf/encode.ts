import {
  encodeJson,
  type Field,
  getOwn,
  isObject,
  type Json,
  type JsonObject,
  type ScalarType,
  type StructType,
  type Type,
} from "../../../values/mod.ts";
import { fieldsByNumber, type NumberedFields } from "./fields_by_number.ts";
import { MessageWriter } from "./message_writer.ts";

/** A field of a message; or, with `inner`, a message whose fields are inlined in JSON. */
type Part =
  & { readonly number: number }
  & (
    | { readonly field: Field; readonly inner?: never }
    | { readonly field?: never; readonly inner: NumberedFields; readonly optional: boolean }
  );

/** A value that was not given. */
const NONE: JsonObject = {};

/** The text of a time that is not set. */
const ZERO_TIME = "0001-01-01T00:00:00";

/**
 * Encodes an object in Kubernetes' protobuf encoding, with the bytes that Go writes: fields in the order of their
 * numbers, maps in the order of their keys, and the zero value where Go has no pointer and the object has no value. The
 * kind and the version of the object are not in the message, but in its envelope.
 */
export function encodeMessage(object: JsonObject, schema: StructType): Uint8Array<ArrayBuffer> {
  const out = new MessageWriter();
  struct(out, object, fieldsByNumber(schema));
  return out.result();
}

const known = new WeakMap<NumberedFields, readonly Part[]>();

/** Returns the fields of a message, the last number first. */
function partsOf(fields: NumberedFields): readonly Part[] {
  const cached = known.get(fields);
  if (cached !== undefined) return cached;
  const parts = [...fields].sort(([one], [other]) => other - one).map(([number, target]): Part => {
    if (!(target instanceof Map)) return { number, field: target as Field };
    // Only for a schema or a list of schemas (JSONSchemaPropsOrArray) does Go have a pointer to such a message.
    return { number, inner: target, optional: [...target.values()].every(isOrList) };
  });
  known.set(fields, parts);
  return parts;
}

function isOrList(target: Field | NumberedFields): boolean {
  return !(target instanceof Map) && (target as Field).type.kind === "struct" &&
    ((target as Field).type as StructType).orList === true;
}

function struct(out: MessageWriter, object: JsonObject, fields: NumberedFields): void {
  for (const part of partsOf(fields)) {
    if (part.field !== undefined) {
      member(out, part.number, part.field, getOwn(object, part.field.name));
      continue;
    }
    const { size } = out;
    struct(out, object, part.inner);
    if (!part.optional || out.size > size) out.head(part.number, size);
  }
}

function member(
  out: MessageWriter,
  number: number,
  { type, presence }: Field,
  value: Json | undefined,
): void {
  if (type.kind === "list") {
    if (!Array.isArray(value)) return;
    for (let i = value.length - 1; i >= 0; i--) single(out, number, type.item, value[i]!);
  } else if (type.kind === "map") {
    if (isObject(value)) map(out, number, type.value, value);
  } else if (value !== undefined && value !== null) single(out, number, type, value);
  else if (!isPointer(type, presence)) single(out, number, type, null);
}

/** Reports whether Go has a pointer, or a byte slice, which it does not write without a value. */
function isPointer(type: Type, presence: Field["presence"]): boolean {
  return presence === "given" || presence === "nullable" ||
    (type.kind === "scalar" && type.name === "bytes");
}

function map(out: MessageWriter, number: number, type: Type, value: JsonObject): void {
  const keys = Object.keys(value).sort();
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i]!;
    const item = getOwn(value, key)!;
    const { size } = out;
    if (type.kind === "list") list(out, type.item, item);
    else if (item !== null || !isPointer(type, "set")) single(out, 2, type, item);
    out.text(1, key);
    out.head(number, size);
  }
}

/** Writes a list that is a value of a map: it lies in a message of its own. */
function list(out: MessageWriter, type: Type, value: Json): void {
  const { size } = out;
  const items = Array.isArray(value) ? value : [];
  for (let i = items.length - 1; i >= 0; i--) single(out, 1, type, items[i]!);
  out.head(2, size);
}

/** Writes a field with one value; null is the zero value. */
function single(out: MessageWriter, number: number, type: Type, value: Json): void {
  if (type.kind === "scalar") {
    scalar(out, number, type, value);
    return;
  }
  const { size } = out;
  if (type.kind === "any") {
    if (value !== null) out.text(1, encodeJson(value, undefined, { escapeHtml: false }));
  } else if (type.kind === "struct") {
    const object = isObject(value) ? value : NONE;
    const fields = fieldsByNumber(type);
    if (type.orBool !== true) struct(out, object, fields);
    else {
      if (isObject(value)) {
        struct(out, object, fields);
        out.head(2, size);
      }
      out.integer(1, value === false ? 0 : 1);
    }
  } else throw new TypeError(`Cannot encode a ${type.kind} within a list or a map`);
  out.head(number, size);
}

function scalar(out: MessageWriter, number: number, { name }: ScalarType, value: Json): void {
  switch (name) {
    case "string":
      out.text(number, value === null ? "" : value as string);
      return;
    case "bool":
      out.integer(number, value === true ? 1 : 0);
      return;
    case "int32":
    case "int64":
      out.integer(number, (value ?? 0) as number | bigint);
      return;
    case "float":
      out.double(number, Number(value));
      return;
    case "bytes":
      out.bytes(number, Uint8Array.from(atob(value as string), (char) => char.charCodeAt(0)));
      return;
  }
  const { size } = out;
  switch (name) {
    case "quantity":
      out.text(1, value === null ? "0" : String(value));
      break;
    case "intOrString":
      out.text(3, typeof value === "string" ? value : "");
      out.integer(2, typeof value === "string" ? 0 : (value ?? 0) as number);
      out.integer(1, typeof value === "string" ? 1 : 0);
      break;
    case "time":
    case "microTime":
      time(out, value as string | null);
      break;
  }
  out.head(number, size);
}

/** Writes a time as seconds and nanoseconds; a time that is not set has neither. */
function time(out: MessageWriter, text: string | null): void {
  if (text === null || text.startsWith(ZERO_TIME)) return;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  out.integer(2, Number(fraction.padEnd(9, "0")));
  out.integer(1, Date.parse(`${text.slice(0, 19)}Z`) / 1000);
}
