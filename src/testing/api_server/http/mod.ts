/**
 * HTTP requests and responses: bodies, content negotiation, query options, fault injection, and the socket that the
 * server listens on.
 *
 * Imports `kinds`, `schema` and `values`.
 *
 * @module
 */

export {
  mediaType,
  OBJECT_TYPES,
  readAhead,
  readBody,
  requireConsumed,
  unknownBodyFormat,
} from "./body.ts";
export {
  DELETE_OPTIONS,
  type DeleteOptions,
  finalizersFor,
  readDeleteOptions,
  unsafeCollection,
} from "./delete_options.ts";
export type { Cut } from "./fault_bodies.ts";
export {
  describeRequest,
  type Fault,
  FaultInjector,
  type FaultRequest,
  type FaultTarget,
} from "./faults.ts";
export { parseLabelSelector } from "./label_selector.ts";
export { integerParameter, type ListQuery, parseRevision, readListQuery } from "./list_options.ts";
export {
  type AnswerKind,
  type Format,
  negotiate,
  negotiateFailure,
  negotiatePlain,
  notAcceptable,
  parseAccept,
  type Representation,
  requireRoutable,
  requireRoutableAs,
  requireStream,
} from "./negotiation.ts";
export { answerText, PROTOBUF, PROTOBUF_STREAM, readObjectText } from "./protobuf_body.ts";
export {
  decodePath,
  identityOf,
  isBareSpecialPath,
  isTrue,
  parseDecodedRequestInfo,
  type RequestInfo,
  targetOf,
  WRITE_VERBS,
} from "./request_info.ts";
export { removeFlowHeaders, ResponseWriter } from "./responses.ts";
export { canonicalHost } from "./accepted_hosts.ts";
export { serve } from "./serve.ts";
export { acceptWebSocket } from "./accept_web_socket.ts";
export type { ServedApi, ServedUpgrade, ServeOptions } from "./serve_types.ts";
export { validateWriteOptions } from "./write_options.ts";
export { warningHeaders } from "./warning_headers.ts";
export { isLongRunning, requireTimeout, writeTimeoutMs } from "./timeout.ts";
