/**
 * The API server over plain `fetch`: configuration, requests, lists, watches and patches.
 *
 * Start with {@linkcode loadConfig} and {@linkcode Client}.
 *
 * @module
 */

export {
  Backoff,
  type BackoffOptions,
  exponentialBackoff,
  KeyedBackoff,
  type KeyedBackoffOptions,
  TokenBucket,
  type TokenBucketOptions,
  type WaitOptions,
} from "../base/mod.ts";
export * from "../pager/mod.ts";
export * from "./call_options.ts";
export { Client } from "./client.ts";
export type { ClientOptions } from "./client_options.ts";
export type { Config, PartialConfig } from "./config.ts";
export type { ReadEnv, ReadFile } from "./_environment.ts";
export type {
  ExecApiVersion,
  ExecCluster,
  ExecConfig,
  ExecEnvVar,
  ExecInteractiveMode,
} from "./exec_config.ts";
export { fieldSelector } from "./field_selector.ts";
export type { Impersonation } from "./impersonation.ts";
export { labelSelector } from "./label_selector.ts";
export type {
  ClientListerWatcher,
  EventBatches,
  ListWatchScope,
  ReadingListerWatcher,
} from "./lister_watcher.ts";
export { loadConfig, type LoadConfigOptions } from "./load_config.ts";
export type { JsonPatchOperation, Patch } from "./patch.ts";
export {
  defaultBackoff,
  defaultRetry,
  retryOnConflict,
  retryOnError,
  type RetryOptions,
} from "./retry_on_conflict.ts";
export type { Fetch } from "./transport.ts";
export { parseWarnings, type Warning, type WarningHandler } from "./warnings.ts";
export type { WatchStreamEvent } from "./_watch_event.ts";
export { WatchStream } from "./watch_stream.ts";
