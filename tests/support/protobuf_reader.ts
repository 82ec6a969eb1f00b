import {
  answerSchema,
  canonical,
  decodeProtobuf,
  envelope,
  SCHEMAS,
  type Schemas,
} from "../../src/testing/api_server/schema/mod.ts";
import type { JsonObject, StructType, Type } from "../../src/testing/values/mod.ts";

/** An event of a watch. */
export interface FrameEvent {
  readonly type: string;
  // deno-lint-ignore no-explicit-any
  readonly object: any;
}

/** The media type of objects in protobuf. */
export const PROTOBUF = "application/vnd.kubernetes.protobuf";

const BYTES: Type = { kind: "scalar", name: "bytes" };
const TEXT: Type = { kind: "scalar", name: "string" };

/** A `WatchEvent`, whose object is bytes. */
const EVENT = structOf({ type: TEXT, object: structOf({ raw: BYTES }) });

/** Reads an object or a list of any built-in kind. The result is as an answer in JSON has it. */
// deno-lint-ignore no-explicit-any
export function readProtobuf(bytes: Uint8Array, schemas: Schemas = SCHEMAS): any {
  const { apiVersion, kind } = decodeProtobuf(bytes, structOf({})) as Record<string, string>;
  const schema = answerSchema(schemas, apiVersion!, kind!);
  const { items, ...rest } = canonical(decodeProtobuf(bytes, schema), schema);
  // In JSON, a list of no items is not null.
  const all = { kind, apiVersion, ...rest };
  return schema.fields.has("items") ? { ...all, items: items ?? [] } : all;
}

/** Reads the frames of a watch. */
export function readFrames(bytes: Uint8Array, schemas: Schemas = SCHEMAS): FrameEvent[] {
  const events: FrameEvent[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + view.getUint32(at);
    const { type, object } = decodeMessage(bytes.subarray(at + 4, end)) as {
      type: string;
      object: { raw: string };
    };
    const raw = Uint8Array.from(atob(object.raw), (char) => char.charCodeAt(0));
    events.push({ type, object: readProtobuf(raw, schemas) });
    at = end;
  }
  return events;
}

/** Reads a message without an envelope. */
function decodeMessage(message: Uint8Array): JsonObject {
  return decodeProtobuf(envelope({ apiVersion: "", kind: "" }, message), EVENT);
}

function structOf(fields: Record<string, Type>): StructType {
  const entries = Object.entries(fields).map(([name, type], index) =>
    [name, {
      name,
      type,
      presence: "always",
      numbers: [index + 1],
      merge: false,
      retainKeys: false,
    }] as const
  );
  return { kind: "struct", name: "T", fields: new Map(entries), atomic: false };
}
