import { valueIn } from "../base/mod.ts";
import type { Status } from "../types/mod.ts";
import { decodeObject } from "./decode.ts";
import { metaMessage, type Table } from "./load_table.ts";
import { scanProtobufObject } from "./object_scanner.ts";

export function valueInMessage(table: Table, bytes: Uint8Array, start: number, end: number, path: readonly string[]): unknown {
  return valueIn(decodeObject(table, bytes, start, end), path);
}
export function decodeStatusMessage(bytes: Uint8Array, start: number, end: number): Status | undefined {
  try {
    return decodeObject(metaMessage("Status"), bytes, start, end, { type: { kind: "Status", apiVersion: "v1" } }) as Status;
  } catch { return undefined; }
}
export function decodeStatus(bytes: Uint8Array): Status | undefined {
  const o = scanProtobufObject(bytes, 0, bytes.length);
  return o?.kind === "Status" ? decodeStatusMessage(bytes, o.start, o.end) : undefined;
}
