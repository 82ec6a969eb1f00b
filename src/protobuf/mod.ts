/**
 * Kubernetes' protobuf as bytes, decoded only on demand: the counterpart of `bytes`, which reads JSON.
 *
 * @module
 */

export { decodeObject, hasUnknownFields, ProtobufError } from "./decode.ts";
export { type ForeignFieldSets, foreignFieldSetsInMessage } from "./foreign_field_sets.ts";
export { loadTable, metaMessage, type Table } from "./load_table.ts";
export { scanProtobufEvent, scanProtobufList, scanProtobufObject } from "./object_scanner.ts";
export { decodeStatus, statusOf } from "./status.ts";
export type { ObjectType } from "./table.ts";
export { valueInMessage } from "./value_in_message.ts";
