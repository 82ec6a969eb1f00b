/**
 * The lives of Pods on a simulated node: which containers start, become ready, exit and restart, and when. The result is
 * the status that a kubelet reports. Everything here is synchronous and takes the time as an argument.
 *
 * @module
 */

export { forgivingSink, type LogSink, type ScriptedLine } from "./container_output.ts";
export { covers } from "./covers.ts";
export {
  type ContainerExit,
  type PodLife,
  type PodOutcome,
  type ProbeFailure,
  requireLives,
} from "./pod_life.ts";
export { PodRun } from "./pod_run.ts";
export { podStatus } from "./pod_status.ts";
