/**
 * The lives of Pods on a simulated node: which containers start, become ready, exit and restart, and when. The result is
 * the status that a kubelet reports. Everything here is synchronous and takes the time as an argument.
 *
 * @module
 */

export { annotatedLives, requireLives } from "./check_lives.ts";
export {
  answerCommand,
  answerPort,
  type CalledPort,
  type CalledProcess,
  followOutput,
  killCode,
  type PodCalls,
  type TextWriter,
  totalUsage,
  usageOf,
} from "./container_calls.ts";
export { forgivingSink, type LogSink, type ScriptedLine } from "./container_output.ts";
export { covers } from "./covers.ts";
export {
  type ContainerExit,
  type ContainerUsage,
  type ExecAnswer,
  type PodLife,
  type PodOutcome,
  type PortAnswer,
  type ProbeFailure,
} from "./pod_life.ts";
export type { ContainerRun } from "./container_run.ts";
export { type PodEvent, podEvents, stopEvents } from "./pod_events.ts";
export { PodRun } from "./pod_run.ts";
export { podStatus } from "./pod_status.ts";
