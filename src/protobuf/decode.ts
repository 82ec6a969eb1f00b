import { encodeBase64, parseJson, setOwn } from "../base/mod.ts";
import { type Field, LIST, MAP, type Message, type ObjectType, OP } from "./table.ts";
import type { Table } from "./load_table.ts";
import { repeatedTextAt, textAt } from "./text.ts";
import { microTimeAt, timeAt } from "./time.ts";
import {
  after,
  findInner,
  innerEnd,
  innerStart,
  MAX_DEPTH,
  readDouble,
  readInt64,
  readLength,
  readVarint,
  skipValue,
  WIRE,
} from "./wire.ts";

/** The error for bytes that are not a valid message. */
export class ProtobufError extends Error {
  /** Always `ProtobufError`. */
  override readonly name: string = "ProtobufError";
}

type Json = Record<string, unknown>;

/** The tag of the key of a map entry, and the tags below which a tag belongs to the key, or to the value. */
const ENTRY_KEY = 0x0a;
const AFTER_KEY = 0x10;
const AFTER_VALUE = 0x18;

/** The tags of an IntOrString. */
const INT_OR_STRING = { TYPE: 0x08, NUMBER: 0x10, TEXT: 0x1a } as const;

const NOTHING = new Uint8Array();

/** Whether the object that was decoded last has fields that its table does not have. */
export let hasUnknownFields = false;

/**
 * Decodes an object: the range is that of its message, without the envelope. The result is the value that `parseJson`
 * returns for the JSON that a server sends of the same object, with the fields in the order in which the message has
 * them. Fields that the table does not have are skipped.
 *
 * @param type The `kind` and `apiVersion` of the object, which are not in its message. Default: the object gets neither.
 * @throws {ProtobufError} If the bytes are not a message of that kind.
 */
export function decodeObject(
  table: Table,
  bytes: Uint8Array,
  start: number,
  end: number,
  type?: ObjectType,
): object {
  hasUnknownFields = false;
  const object = new table.Create();
  if (type !== undefined) {
    object.kind = type.kind;
    object.apiVersion = type.apiVersion;
  }
  fill(object, table, bytes, start, end, 0);
  return object;
}

/** Adds the fields of a message to an object. */
function fill(
  object: Json,
  message: Message,
  bytes: Uint8Array,
  at: number,
  end: number,
  depth: number,
): void {
  if (depth > MAX_DEPTH) throw new ProtobufError("Cannot decode messages nested deeper than 100");
  const fields = message.fields ?? message.resolve();
  let last = 0;
  while (at < end) {
    let tag = bytes[at++] as number;
    if (tag >= 0x80) {
      tag = readVarint(bytes, at - 1, end);
      at = after;
    }
    const number = tag >>> 3;
    if (number === 0 || !(tag <= 0xffff_ffff)) throw malformed("a field number is illegal");
    const field = fields[number];
    if (field === undefined) {
      hasUnknownFields = true;
      at = skipValue(bytes, at, end, tag & 7);
      if (at < 0) throw malformed("an unknown field is malformed");
      continue;
    }
    // Servers write each field once, in the order of their numbers.
    const isRepeated = number <= last;
    if (!isRepeated) last = number;
    const { name, code } = field;
    if ((tag & 7) !== WIRE.BYTES) {
      if (code >= MAP) throw malformed("a field has another wire type");
      const value = numberAt(code % LIST, tag & 7, bytes, at, end);
      at = after;
      if (code >= LIST) listIn(object, name).push(value);
      else if (!field.omitsEmpty || (value !== 0 && value !== false)) object[name] = value;
      else if (isRepeated) delete object[name];
      continue;
    }
    let length = bytes[at++] as number;
    if (length >= 0x80) {
      length = readLength(bytes, at - 1, end);
      if (length < 0) throw malformed("a length exceeds the message");
      at = after;
    }
    const start = at;
    at += length;
    if (!(at <= end)) throw malformed("a length exceeds the message");
    switch (code) {
      case OP.TEXT:
        if (length !== 0 || !field.omitsEmpty) object[name] = repeatedTextAt(bytes, start, at);
        else if (isRepeated) delete object[name];
        break;
      case OP.MESSAGE: {
        const inner = field.message as Message;
        const value = isRepeated ? object[name] as Json ?? new inner.Create() : new inner.Create();
        fill(value, inner, bytes, start, at, depth + 1);
        object[name] = value;
        break;
      }
      case LIST + OP.MESSAGE: {
        const value = messageAt(field.message as Message, bytes, start, at, depth + 1);
        if (isRepeated) listIn(object, name).push(value);
        else object[name] = [value];
        break;
      }
      case LIST + OP.TEXT:
        if (isRepeated) listIn(object, name).push(repeatedTextAt(bytes, start, at));
        else object[name] = [repeatedTextAt(bytes, start, at)];
        break;
      case OP.INLINE:
        fill(object, field.message as Message, bytes, start, at, depth + 1);
        break;
      default:
        if (code >= MAP) addEntry(object, field, bytes, start, at, depth);
        else if (code >= LIST) {
          addItems(
            listIn(object, name),
            code - LIST,
            field.message,
            bytes,
            start,
            at,
            depth,
          );
        } else {
          const value = valueOf(code, field.message, bytes, start, at, depth);
          if (!field.omitsEmpty || (value !== null && value !== "")) object[name] = value;
          else if (isRepeated) delete object[name];
        }
    }
  }
  const { nulls } = message;
  for (let i = 0; i < nulls.length; i++) {
    const name = nulls[i] as string;
    if (object[name] === undefined) object[name] = null;
  }
}

/** Returns a list of an object, which is created with its first item. */
function listIn(object: Json, name: string): unknown[] {
  return (object[name] ??= []) as unknown[];
}

/** Adds an entry of a map, which is a message with a key and a value. */
function addEntry(
  object: Json,
  { name, code, message, keys: wanted }: Field,
  bytes: Uint8Array,
  at: number,
  end: number,
  depth: number,
): void {
  let key = "";
  let valueStart = -1;
  let wireType = 0;
  while (at < end) {
    const tag = readVarint(bytes, at, end);
    at = after;
    if (tag === ENTRY_KEY) {
      const length = readLength(bytes, at, end);
      if (length < 0) throw malformed("a map entry is truncated");
      at = after + length;
      key = repeatedTextAt(bytes, at - length, at);
      continue;
    }
    if (tag < AFTER_KEY) throw malformed("the key of a map entry is not a text");
    if (tag < AFTER_VALUE) {
      valueStart = at;
      wireType = tag & 7;
    }
    at = skipValue(bytes, at, end, tag % 8);
    if (at < 0) throw malformed("a map entry is truncated");
  }
  const map = (object[name] ??= {}) as Json;
  if (wanted !== undefined && !wanted.has(key)) return;
  setOwn(map, key, entryValue(code - MAP, message, bytes, valueStart, wireType, end, depth));
}

/** Returns the value of an entry, which begins at `at`; at -1 if the entry has none. */
function entryValue(
  op: number,
  message: Message | undefined,
  bytes: Uint8Array,
  at: number,
  wireType: number,
  end: number,
  depth: number,
): unknown {
  if (at < 0) return emptyValue(op, message, depth);
  if (wireType !== WIRE.BYTES) return numberAt(op, wireType, bytes, at, end);
  const length = readLength(bytes, at, end);
  return valueOf(op, message, bytes, after, after + length, depth);
}

/** Returns the value of an entry that has none. */
function emptyValue(op: number, message: Message | undefined, depth: number): unknown {
  if (op === OP.BOOL) return false;
  if (isNumber(op)) return 0;
  return valueOf(op, message, NOTHING, 0, 0, depth);
}

/** Adds an item of a list, or several packed numbers. */
function addItems(
  list: unknown[],
  op: number,
  message: Message | undefined,
  bytes: Uint8Array,
  at: number,
  end: number,
  depth: number,
): void {
  if (!isNumber(op)) {
    list.push(valueOf(op, message, bytes, at, end, depth));
    return;
  }
  const wireType = op === OP.DOUBLE ? WIRE.FIXED64 : WIRE.VARINT;
  for (; at < end; at = after) list.push(numberAt(op, wireType, bytes, at, end));
}

function isNumber(op: number): boolean {
  return op === OP.BOOL || op === OP.INT32 || op === OP.INT64 || op === OP.DOUBLE;
}

/** Returns a number or boolean, and leaves the position after it in `after`. */
function numberAt(
  op: number,
  wireType: number,
  bytes: Uint8Array,
  at: number,
  end: number,
): number | bigint | boolean {
  if (op === OP.DOUBLE && wireType === WIRE.FIXED64) {
    const value = readDouble(bytes, at, end);
    if (Number.isNaN(value)) throw malformed("a number is truncated or not finite");
    return value;
  }
  if (wireType !== WIRE.VARINT || !isNumber(op) || op === OP.DOUBLE) {
    throw malformed("a field has another wire type");
  }
  const value = readInt64(bytes, at, end);
  if (value === undefined) throw malformed("a number is truncated");
  if (op === OP.BOOL) return value !== 0;
  if (op === OP.INT64 || typeof value === "number" && value === (value | 0)) return value;
  return Number(BigInt.asIntN(32, BigInt(value)));
}

/** Returns a value that has a length, other than a number. */
function valueOf(
  op: number,
  message: Message | undefined,
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
): unknown {
  switch (op) {
    case OP.TEXT:
      return repeatedTextAt(bytes, start, end);
    case OP.MESSAGE:
      return messageAt(message as Message, bytes, start, end, depth + 1);
    case OP.BYTES:
      return encodeBase64(bytes.subarray(start, end));
    case OP.QUANTITY:
      if (!findInner(bytes, start, end)) throw malformed("a quantity is malformed");
      return innerStart === innerEnd ? "0" : repeatedTextAt(bytes, innerStart, innerEnd);
    case OP.INT_OR_STRING:
      return intOrStringAt(bytes, start, end);
    case OP.TIME:
    case OP.MICRO_TIME: {
      const time = op === OP.TIME ? timeAt(bytes, start, end) : microTimeAt(bytes, start, end);
      if (time === undefined) throw malformed("a time is malformed or beyond the year 9999");
      return time;
    }
    case OP.RAW:
      if (!findInner(bytes, start, end)) throw malformed("a raw value is malformed");
      return rawAt(bytes, innerStart, innerEnd);
    case OP.UNION:
    case OP.UNION_OR_BOOL: {
      const { list, schema, allows } = messageAt(message as Message, bytes, start, end, depth + 1);
      return list ?? schema ?? (op === OP.UNION_OR_BOOL ? allows === true : null);
    }
    default:
      throw malformed("a field has another wire type");
  }
}

function messageAt(
  message: Message,
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
): Json {
  const object = new message.Create();
  fill(object, message, bytes, start, end, depth);
  return object;
}

/** Returns an IntOrString: a message with the type, the number and the text. */
function intOrStringAt(bytes: Uint8Array, at: number, end: number): number | string {
  let isText = false;
  let number = 0;
  let text = "";
  while (at < end) {
    const tag = readVarint(bytes, at, end);
    at = after;
    switch (tag) {
      case INT_OR_STRING.TYPE:
        isText = numberAt(OP.INT64, WIRE.VARINT, bytes, at, end) === 1;
        at = after;
        break;
      case INT_OR_STRING.NUMBER:
        number = numberAt(OP.INT32, WIRE.VARINT, bytes, at, end) as number;
        at = after;
        break;
      case INT_OR_STRING.TEXT: {
        const length = readLength(bytes, at, end);
        if (length < 0) throw malformed("a text is truncated");
        at = after + length;
        text = repeatedTextAt(bytes, at - length, at);
        break;
      }
      default:
        at = tag < 32 ? -1 : skipValue(bytes, at, end, tag % 8);
        if (at < 0) throw malformed("an IntOrString is malformed");
    }
  }
  return isText ? text : number;
}

/** Returns a raw value, which is JSON: null if it is empty. */
function rawAt(bytes: Uint8Array, start: number, end: number): unknown {
  if (start === end) return null;
  try {
    return parseJson(textAt(bytes, start, end));
  } catch (cause) {
    throw new ProtobufError("Cannot decode a protobuf message: a raw value is not JSON", { cause });
  }
}

function malformed(problem: string): ProtobufError {
  return new ProtobufError(`Cannot decode a protobuf message: ${problem}`);
}
