/**
 * Kubernetes' protobuf as bytes, decoded only on demand: the counterpart of `bytes`, which reads JSON.
 *
 * @module
 */

export { decodeObject, type DecodeOptions, ProtobufError } from "./decode.ts";
export { type ForeignFieldSets, foreignFieldSetsInMessage } from "./foreign_field_sets.ts";
export { loadTable, type Table } from "./load_table.ts";
export {
  type ScannedMessage,
  scanProtobufEvent,
  scanProtobufList,
  scanProtobufObject,
} from "./object_scanner.ts";
export { metaMessage } from "./load_table.ts";
export { decodeStatus, decodeStatusMessage, valueInMessage } from "./interim.ts";
