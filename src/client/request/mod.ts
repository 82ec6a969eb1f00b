/**
 * Requests and responses: paths, queries, bodies, options, retries, `StatusError`s, warnings and selectors.
 *
 * Imports `config`, `credentials` and `transport`.
 *
 * @module
 */

export { acceptList, acceptObject, type AcceptOptions, isProtobuf } from "./accept.ts";
export { AuthenticatedTransport } from "./authenticated_transport.ts";
export { notProtobuf, parseList, parseObject } from "./answer.ts";
export type { ApiRequest, RequestLocation } from "./api_request.ts";
export { deleteBody, objectBody, requireSelectors } from "./bodies.ts";
export {
  type Accept,
  type ApplyOptions,
  CALL_CHECKS,
  type CallOptions,
  callOptions,
  type DeleteCollectionOptions,
  type DeleteOptions,
  type EachListItemOptions,
  type GetOptions,
  type ListCallOptions,
  type OfSubresource,
  type PatchOptions,
  type RawOptions,
  requireRetries,
  type ResourceCallOptions,
  type StatusPatchOptions,
  type StatusWriteOptions,
  type SubresourceOption,
  type WatchCallOptions,
  type WriteOptions,
} from "./call_options.ts";
export type { Call } from "./calls.ts";
export { type ChunkReader, chunkReader } from "./chunk_reader.ts";
export {
  type ClientObserver,
  type EndedRequest,
  guardedObserver,
  joinObservers,
  type ObservedOptions,
  type SendingRequest,
  type WrittenObject,
} from "./client_observer.ts";
export { connectionAdvice } from "./connection_advice.ts";
export { fieldSelector } from "./field_selector.ts";
export { labelSelector } from "./label_selector.ts";
export {
  APPLY_CONTENT_TYPE,
  type JsonPatchOperation,
  patchBody,
  type Patches,
  type PatchType,
} from "./patch.ts";
export {
  type Middleware,
  type MiddlewareNext,
  type MiddlewareRequest,
  requireMiddleware,
} from "./middleware.ts";
export { listQuery, requireBoolean, toQuery, writeQuery } from "./query.ts";
export { Redactor } from "./redactor.ts";
export { type OpenAnswer, type OpenSocket, Requester } from "./requester.ts";
export {
  collectionPath,
  creationPath,
  listPath,
  objectPath,
  type ObjectPlace,
  rawPath,
  requireObjectName,
} from "./resource_path.ts";
export {
  defaultBackoff,
  defaultRetry,
  retryOnConflict,
  retryOnError,
  type RetryOptions,
} from "./retry_on_conflict.ts";
export { bodyFailed, requestFailed } from "./request_error.ts";
export { excerpt, shownValue } from "./text.ts";
export { onceEach, parseWarnings, type Warning, type WarningHandler } from "./warnings.ts";
export { describePod, podPath, type PodReference } from "./pod_reference.ts";
