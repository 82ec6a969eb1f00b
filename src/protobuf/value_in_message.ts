import { LruMap, valueIn } from "../base/mod.ts";
import { decodeObject } from "./decode.ts";
import type { Table } from "./load_table.ts";
import type { Message } from "./table.ts";

/** Tables reduced to the fields on a path, for the paths that were read last. A program uses few: one for each index. */
const ONLY = new LruMap<Message, LruMap<string, Message>>(64);
const MAX_PATHS = 64;

/**
 * Returns the value at `path` in an object: the value that `decodeObject` of the same range would have there, undefined
 * if it has none. The name of a list item is its index, as in `["spec", "containers", "0", "image"]`. Only the fields on
 * the path are decoded.
 *
 * @throws {ProtobufError} If the bytes on the path are not a message of that kind.
 */
export function valueInMessage(
  table: Table,
  bytes: Uint8Array,
  start: number,
  end: number,
  path: readonly string[],
): unknown {
  return valueIn(decodeObject(onlyOf(table, path), bytes, start, end), path);
}

function onlyOf(table: Message, path: readonly string[]): Message {
  let known = ONLY.get(table);
  if (known === undefined) ONLY.set(table, known = new LruMap(MAX_PATHS));
  const name = JSON.stringify(path);
  let only = known.get(name);
  if (only === undefined) known.set(name, only = table.only([path]));
  return only;
}
