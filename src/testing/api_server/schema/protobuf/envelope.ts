import type { JsonObject, StructType } from "../../../values/mod.ts";
import { encodeMessage } from "./encode.ts";
import { MessageWriter } from "./message_writer.ts";
import type { Named } from "./named.ts";
import { MAGIC } from "./wire.ts";

/** Room for the heads around an object or an item of a list. */
const HEADS = 16;

/** Encodes an object with its kind and version, as the body of a request or an answer. */
export function encodeProtobuf(object: JsonObject, schema: StructType): Uint8Array<ArrayBuffer> {
  const { apiVersion, kind } = object as JsonObject & Named;
  return envelope({ apiVersion, kind }, encodeMessage(object, schema));
}

/** Adds its kind and version to the message of an object: `k8s` and a zero byte, and a `runtime.Unknown`. */
export function envelope(named: Named, message: Uint8Array): Uint8Array<ArrayBuffer> {
  return enveloped(named, message.length, (out) => out.raw(message));
}

/** Returns the body of a list, from the messages of its metadata and of its items. */
export function encodeList(
  named: Named,
  metadata: Uint8Array,
  items: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const size = items.reduce((sum, item) => sum + item.length + HEADS, metadata.length);
  return enveloped(named, size, (out) => {
    for (let i = items.length - 1; i >= 0; i--) out.bytes(2, items[i]!);
    out.bytes(1, metadata);
  });
}

/** Returns the frame of a watch event, whose object is in its envelope: four bytes of length, and a `WatchEvent`. */
export function watchFrame(type: string, object: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new MessageWriter(object.length + type.length + 2 * HEADS);
  out.bytes(1, object);
  out.head(2, 0);
  out.text(1, type);
  const { size } = out;
  out.raw(Uint8Array.of(size >>> 24, size >>> 16, size >>> 8, size));
  return out.result();
}

function enveloped(
  { apiVersion, kind }: Named,
  room: number,
  write: (out: MessageWriter) => void,
): Uint8Array<ArrayBuffer> {
  const out = new MessageWriter(room + apiVersion.length + kind.length + 3 * HEADS);
  // The encoding and the type of the content: Go writes them although they are empty.
  out.text(4, "");
  out.text(3, "");
  const { size } = out;
  write(out);
  out.head(2, size);
  const after = out.size;
  out.text(2, kind);
  out.text(1, apiVersion);
  out.head(1, after);
  out.raw(MAGIC);
  return out.result();
}
