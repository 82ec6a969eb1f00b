/**
 * Kubernetes' protobuf as bytes, decoded only on demand: the counterpart of `bytes`, which reads JSON.
 *
 * @module
 */

export {
  type ScannedMessage,
  scanProtobufEvent,
  scanProtobufList,
  scanProtobufObject,
} from "./object_scanner.ts";
