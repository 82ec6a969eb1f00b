/**
 * Kubernetes' protobuf, in which client-go sends and accepts built-in kinds.
 *
 * Bytes and the schema of a kind enter, JSON leaves; and the other way round. Imports `values`.
 *
 * @module
 */

export { decodeFrames, decodeNamed, decodeProtobuf, type FrameEvent } from "./decode.ts";
export { encodeMessage } from "./encode.ts";
export { encodeList, encodeProtobuf, envelope, watchFrame } from "./envelope.ts";
export type { Named } from "./named.ts";
export { ProtobufError } from "./wire.ts";
