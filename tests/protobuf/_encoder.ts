/** An encoder of JSON values by the tables of messages, for tests: it writes the bytes that Go writes. */

import { LIST, MAP, type Message, OP } from "../../src/protobuf/table.ts";
import { field, type FieldBytes, integer, varint } from "./_message.ts";

type Json = Record<string, unknown>;

/** Encodes an object without its envelope. */
export function encodeObject(table: Message, object: object): Uint8Array {
  return Uint8Array.from(fieldsOf(table, object as Json).flat());
}

function fieldsOf(message: Message, object: Json): FieldBytes[] {
  return (message.fields ?? message.resolve()).flatMap((one) => {
    if (one === undefined) return [];
    const { number, name, code, message: inner } = one;
    if (code === OP.INLINE) return [field(number, fieldsOf(inner!, object))];
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (code >= MAP) {
      return Object.entries(value ?? {}).sort(([a], [b]) => a < b ? -1 : 1).map(([key, item]) =>
        field(number, [field(1, key), valueOf(2, code - MAP, inner, item)])
      );
    }
    if (code >= LIST) {
      return ((value ?? []) as unknown[]).map((item) => valueOf(number, code - LIST, inner, item));
    }
    if (value === null && code !== OP.TIME && code !== OP.MICRO_TIME) return [];
    return value === undefined ? emptyOf(number, code, one.omitsEmpty) : [
      valueOf(number, code, inner, value),
    ];
  });
}

/** Encodes a field that JSON omits because it is empty, unless it is a pointer. */
function emptyOf(number: number, op: number, omitsEmpty: boolean): FieldBytes[] {
  if (!omitsEmpty || op === OP.BYTES) return [];
  return [op === OP.TEXT || op === OP.TIME ? field(number, "") : integer(number, 0)];
}

function valueOf(
  number: number,
  op: number,
  message: Message | undefined,
  value: unknown,
): FieldBytes {
  switch (op) {
    case OP.TEXT:
      return field(number, value as string);
    case OP.BOOL:
      return integer(number, value === true ? 1 : 0);
    case OP.INT32:
    case OP.INT64:
      return integer(number, value as number | bigint);
    case OP.DOUBLE:
      return [
        ...varint(number * 8 + 1),
        ...new Uint8Array(new Float64Array([value as number]).buffer),
      ];
    case OP.BYTES:
      return field(number, [[...atob(value as string)].map((char) => char.charCodeAt(0))]);
    case OP.QUANTITY:
      return field(number, [field(1, value as string)]);
    case OP.INT_OR_STRING:
      return field(
        number,
        typeof value === "string"
          ? [integer(1, 1), integer(2, 0), field(3, value)]
          : [integer(1, 0), integer(2, value as number), field(3, "")],
      );
    case OP.TIME:
    case OP.MICRO_TIME: {
      if (value === null) return field(number, "");
      const [, head, micros = "0"] = /^(.{19})(?:\.(\d{6}))?Z$/.exec(value as string)!;
      return field(number, [
        integer(1, Date.parse(`${head}Z`) / 1000),
        integer(2, Number(micros) * 1000),
      ]);
    }
    case OP.RAW:
      return field(number, value === null ? [] : [field(1, JSON.stringify(value))]);
    case OP.MESSAGE:
      return field(number, fieldsOf(message!, value as Json));
    case OP.UNION_OR_BOOL:
      return field(
        number,
        typeof value === "boolean"
          ? [integer(1, value ? 1 : 0)]
          : [integer(1, 1), valueOf(2, OP.MESSAGE, schemaOf(message!), value)],
      );
    case OP.UNION:
      return field(
        number,
        fieldsOf(message!, Array.isArray(value) ? { list: value } : { schema: value }),
      );
    default:
      throw new Error(`cannot encode ${op}`);
  }
}

function schemaOf(union: Message): Message {
  return (union.fields ?? union.resolve()).find((one) => one?.name === "schema")!.message!;
}
