import {
  getArray,
  getObject,
  getOwn,
  isObject,
  type Json,
  type JsonObject,
} from "../../../values/mod.ts";

/** The media type of an OpenAPI v2 document in protobuf. */
export const OPENAPI_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/** The names by which clients ask for it: kubectl uses the older one. */
export const OPENAPI_PROTOBUF_NAMES: readonly string[] = [
  "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
  OPENAPI_PROTOBUF,
];

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;

const TEXT_FIELDS = { $ref: 1, format: 2, title: 3, description: 4, pattern: 13 } as const;
const DOUBLE_FIELDS = { maximum: 7, minimum: 9 } as const;
const COUNT_FIELDS = { maxLength: 11, minLength: 12, maxItems: 14, minItems: 15 } as const;

/**
 * Encodes an OpenAPI v2 document in the messages of `openapi.v2.Document` of gnostic-models, in which kubectl reads the
 * definitions of kinds. Operations are omitted, because kubectl reads them from OpenAPI v3.
 */
export function encodeDocument(document: JsonObject): Uint8Array<ArrayBuffer> {
  const info = getObject(document, "info");
  return new Message()
    .text(1, document["swagger"])
    .message(2, new Message().text(1, info["title"]).text(2, info["version"]))
    .message(8, new Message())
    .message(9, namedSchemas(getObject(document, "definitions")))
    .bytes();
}

/** Definitions and properties have the same form. */
function namedSchemas(schemas: JsonObject): Message {
  const message = new Message();
  for (const [name, value] of Object.entries(schemas)) {
    message.message(1, new Message().text(1, name).message(2, schemaMessage(value as JsonObject)));
  }
  return message;
}

function schemaMessage(schema: JsonObject): Message {
  const message = new Message();
  for (const [name, field] of Object.entries(TEXT_FIELDS)) {
    message.text(field, getOwn(schema, name));
  }
  const preset = getOwn(schema, "default");
  if (preset !== undefined) message.message(5, anyMessage(preset));
  for (const [name, field] of Object.entries(DOUBLE_FIELDS)) {
    message.double(field, getOwn(schema, name));
  }
  for (const [name, field] of Object.entries(COUNT_FIELDS)) {
    message.count(field, getOwn(schema, name));
  }
  for (const name of getArray(schema, "required")) message.text(19, name);
  for (const value of getArray(schema, "enum")) message.message(20, anyMessage(value));
  const more = getOwn(schema, "additionalProperties");
  if (isObject(more)) message.message(21, new Message().message(1, schemaMessage(more)));
  else if (more !== undefined) message.message(21, new Message().count(2, Number(more)));
  const type = getOwn(schema, "type");
  if (type !== undefined) message.message(22, new Message().text(1, type));
  const items = getOwn(schema, "items");
  if (isObject(items)) message.message(23, new Message().message(1, schemaMessage(items)));
  for (const one of getArray(schema, "allOf")) {
    message.message(24, schemaMessage(one as JsonObject));
  }
  const properties = getOwn(schema, "properties");
  if (isObject(properties)) message.message(25, namedSchemas(properties));
  for (const [name, value] of Object.entries(schema)) {
    if (!name.startsWith("x-")) continue;
    message.message(31, new Message().text(1, name).message(2, anyMessage(value!)));
  }
  return message;
}

/** A value is YAML text, which may be JSON. */
function anyMessage(value: Json): Message {
  return new Message().text(2, `${JSON.stringify(value)}\n`);
}

const encoder = new TextEncoder();

/** A protobuf message that is being written. */
class Message {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** The number of bytes. */
  get length(): number {
    return this.#length;
  }

  /** Adds a text; nothing, if it is absent. */
  text(field: number, value: Json | undefined): this {
    if (value === undefined) return this;
    const bytes = encoder.encode(String(value));
    return this.#add(varint(field << 3 | BYTES), varint(bytes.length), bytes);
  }

  /** Adds a message. */
  message(field: number, inner: Message): this {
    this.#add(varint(field << 3 | BYTES), varint(inner.length));
    // Not as arguments: a document has more parts than a function can have.
    for (const part of inner.#parts) this.#parts.push(part);
    this.#length += inner.length;
    return this;
  }

  /** Adds an integer; nothing, if it is absent. */
  count(field: number, value: Json | undefined): this {
    if (value === undefined) return this;
    return this.#add(varint(field << 3 | VARINT), varint(Number(value)));
  }

  /** Adds a number; nothing, if it is absent. */
  double(field: number, value: Json | undefined): this {
    if (value === undefined) return this;
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, Number(value), true);
    return this.#add(varint(field << 3 | FIXED64), bytes);
  }

  /** Returns the encoded message. */
  bytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  #add(...parts: readonly Uint8Array[]): this {
    for (const part of parts) {
      this.#parts.push(part);
      this.#length += part.length;
    }
    return this;
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push(rest % 128 | 0x80);
  return new Uint8Array([...bytes, rest]);
}
