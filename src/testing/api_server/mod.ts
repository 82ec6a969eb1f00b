/**
 * The in-process API server.
 *
 * @module
 */

export { ApiServer } from "./api_server.ts";
export type {
  ApiServerClientOptions,
  ApiServerOptions,
  UpgradedConnection,
} from "./api_server_options.ts";
export type { ContainerProcess, OutputWriter, PodProgram, PortStream } from "./programs/mod.ts";
export type { TokenUser } from "./access/mod.ts";
export {
  answerText,
  canonicalHost,
  type Cut,
  describeRequest,
  type Fault,
  FaultInjector,
  type FaultRequest,
  type FaultTarget,
  type ServedApi,
  type ServeOptions,
  WRITE_VERBS,
} from "./http/mod.ts";
export {
  type CoalesceOptions,
  type FreezeOptions,
  type HoldOptions,
  type Lag,
  type LagEvent,
  LagInjector,
  type LagOptions,
  type ShuffleOptions,
} from "./lag/mod.ts";
export { type ContainerText, type LoggedContainer, PodLogs } from "./logs/mod.ts";
export { NodeLeases } from "./node_leases.ts";
export { type MetricUsage, type PodMetricUsage, ResourceMetrics } from "./metrics/mod.ts";
export {
  DEFAULT_MINOR,
  isMinor,
  type KubernetesMinor,
  MINOR_VERSIONS,
  releaseOf,
} from "./release/mod.ts";
export { readFrames } from "./schema/mod.ts";
export type { ServerState, StateObject } from "./server_state.ts";
export type { WebhookConnection, WebhookHandler } from "./webhooks/mod.ts";
export type { ServerRequest } from "./handlers/mod.ts";
export type { OpenWatch, RequestAuthor, WatchProgress } from "./storage/mod.ts";
export type { ServerWrite } from "./server_write.ts";
export type { StoredView, StoreView } from "./store_view.ts";
