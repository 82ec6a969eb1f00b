/**
 * The client of the API server: configuration, requests, lists, watches and patches.
 *
 * Start with {@linkcode loadConfig} and {@linkcode Client}.
 *
 * @module
 */

export {
  ListPager,
  type ListPagerOptions,
  type PagedCall,
  type PagedList,
  type PageFn,
  PageProgress,
} from "../pager/mod.ts";
export {
  type Accept,
  type ApplyOptions,
  type CallOptions,
  type ClientObserver,
  defaultBackoff,
  defaultRetry,
  type DeleteCollectionOptions,
  type DeleteOptions,
  type EachListItemOptions,
  type EndedRequest,
  fieldSelector,
  type GetOptions,
  type JsonPatchOperation,
  labelSelector,
  type ListCallOptions,
  listPath,
  listQuery,
  type Middleware,
  type MiddlewareNext,
  type MiddlewareRequest,
  objectPath,
  type ObjectPlace,
  type ObservedOptions,
  type OfSubresource,
  parseWarnings,
  type Patches,
  type PatchOptions,
  type PatchType,
  type PodReference,
  type RawOptions,
  type ResourceCallOptions,
  retryOnConflict,
  retryOnError,
  type RetryOptions,
  type SendingRequest,
  type StatusPatchOptions,
  type StatusWriteOptions,
  type SubresourceOption,
  type Warning,
  type WarningHandler,
  type WatchCallOptions,
  type WriteOptions,
  type WrittenObject,
} from "./request/mod.ts";
export { Client } from "./client.ts";
export type { ClientPermissions } from "./client_permissions.ts";
export type { ClientOptions } from "./client_options.ts";
export {
  type DiscoveredResource,
  type GroupVersionKind,
  isUnknownKind,
  NoMatchError,
  type Unstructured,
} from "./discovery/mod.ts";
export type { ObjectInput, Returned, SubjectOf, SubresourceFor } from "./object_types.ts";
export {
  type Config,
  type ExecApiVersion,
  type ExecCluster,
  type ExecConfig,
  type ExecEnvVar,
  type ExecInteractiveMode,
  type Impersonation,
  loadConfig,
  type LoadConfigOptions,
  type PartialConfig,
  type ReadEnv,
  type ReadFile,
} from "./config/mod.ts";
export { type LogLine, type LogsOptions, LogStream } from "./logs/mod.ts";
export type {
  AttachOptions,
  AttachResult,
  ContainerStreams,
  ExecOptions,
  ExecResult,
  ForwardedPort,
  OpenAttachOptions,
  OpenExecOptions,
  OpenPortOptions,
  PortConnection,
  PortForward,
  PortForwardOptions,
  PortInput,
  StdinSource,
  TerminalSize,
} from "./streams/mod.ts";
export type { Fetch, Upgrade, Upgraded } from "./transport/mod.ts";
export { WatchStream } from "./watch/mod.ts";
export {
  complete,
  condition,
  deleted,
  established,
  type ObjectPredicate,
  rolledOut,
  type Verdict,
  type WaitForOptions,
  type WaitPredicate,
} from "./wait/mod.ts";
