/**
 * JSON as bytes, decoded only on demand: the basis of the compact cache.
 *
 * @module
 */

export {
  scanEvent,
  scanList,
  type ScannedEvent,
  type ScannedList,
  type ScannedObject,
  scanObject,
} from "./object_scanner.ts";
export { addPart, foreignFieldSets, type KeepsFieldsOf } from "./foreign_field_sets.ts";
export {
  ByteRange,
  copyTo,
  pageOf,
  sizeOf,
  type Slab,
  SlabStore,
  type SlabStoreOptions,
  type SlabUsage,
} from "./slab_store.ts";
export { parseRange } from "./text.ts";
export { hasSameBytesAt, type ObjectBytes, valueAt } from "./value_at.ts";
