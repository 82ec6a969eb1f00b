import type { ScannedObject } from "../bytes/mod.ts";
import { decodeObject, ProtobufError } from "./decode.ts";
import { metaMessage } from "./load_table.ts";
import { scanProtobufObject } from "./object_scanner.ts";

/** Decodes a Status in its envelope, such as the body of an error. Returns undefined if the bytes are something else. */
export function decodeStatus(bytes: Uint8Array): Record<string, unknown> | undefined {
  const object = scanProtobufObject(bytes, 0, bytes.length);
  return object && statusOf(object);
}

/** Decodes a scanned Status, such as the object of an ERROR event. Returns undefined if the object is something else. */
export function statusOf(
  { bytes, start, end, kind, apiVersion }: ScannedObject,
): Record<string, unknown> | undefined {
  if (kind !== "Status" || apiVersion !== "v1") return undefined;
  try {
    const status = decodeObject(metaMessage("Status"), bytes, start, end, { kind, apiVersion });
    return status as Record<string, unknown>;
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}
