/**
 * The logs of containers: what tests and kubelets write, kept in memory, and the streams that requests read.
 *
 * Imports `storage` and `values`.
 *
 * @module
 */

export type { LogQuery } from "./log_body.ts";
export { LogStore } from "./log_store.ts";
export { type ContainerText, type LoggedContainer, PodLogs } from "./pod_logs.ts";
