/**
 * Decoding of Kubernetes' protobuf, in which client-go sends built-in kinds.
 *
 * Bytes and the schema of a kind enter; JSON leaves. Imports `values`.
 *
 * @module
 */

export { decodeProtobuf } from "./decode.ts";
export { ProtobufError } from "./wire.ts";
