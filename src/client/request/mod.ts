/**
 * One request and its answer: paths, queries, bodies, options, retries, `StatusError`s, warnings and selectors.
 *
 * Imports `config`, `credentials` and `transport`.
 *
 * @module
 */

export { acceptList, acceptObject } from "./accept.ts";
export { Access } from "./access.ts";
export { parseAnswer, requireList } from "./answer.ts";
export type { ApiRequest, RequestLocation } from "./api_request.ts";
export { deleteBody, objectBody, patchBody } from "./bodies.ts";
export type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListCallOptions,
  OfSubresource,
  PatchOptions,
  RawOptions,
  ResourceCallOptions,
  SubresourceOption,
  WatchCallOptions,
  WriteOptions,
} from "./call_options.ts";
export type { Call } from "./calls.ts";
export { connectionAdvice } from "./connection_advice.ts";
export { fieldSelector } from "./field_selector.ts";
export { labelSelector } from "./label_selector.ts";
export { type JsonPatchOperation, type Patch, PATCH_CONTENT_TYPES } from "./patch.ts";
export { listQuery, toQuery, writeQuery } from "./query.ts";
export { Requester } from "./requester.ts";
export {
  collectionPath,
  objectPath,
  rawPath,
  requireNamespace,
  requireObjectName,
  resourcePath,
} from "./resource_path.ts";
export {
  defaultBackoff,
  defaultRetry,
  retryOnConflict,
  retryOnError,
  type RetryOptions,
} from "./retry_on_conflict.ts";
export { excerpt } from "./text.ts";
export { onceEach, parseWarnings, type Warning, type WarningHandler } from "./warnings.ts";
