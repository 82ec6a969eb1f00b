/**
 * A phase of a cost run:
 *
 * - `start`: the processes start, and all objects are created.
 * - `quiet`: nothing happens, except that Nodes renew their status.
 * - `change`: one object is changed.
 * - `shared`: an object that all share is changed.
 * - `restart`: the processes are killed and start again.
 *
 * Each ends when nothing has changed for a while.
 */
export type CostPhase = "start" | "quiet" | "change" | "shared" | "restart";

/** The phases of a cost run, in their order. */
export const PHASES: readonly CostPhase[] = ["start", "quiet", "change", "shared", "restart"];

/**
 * A measure of a phase:
 *
 * - `requests`: the number of requests of the processes.
 * - `writes`: the number of requests that may change an object, except Leases and Events.
 * - `sent`: the bytes of the bodies of requests.
 * - `received`: the bytes of the bodies of answers and watches.
 * - `reconciles`: the number of reconciles of the controllers of this library.
 * - `cache`: the bytes, in JSON, of the objects that the open watches cover at the end of the phase: what an informer
 *   without a transform holds.
 */
export type CostMeasure = "requests" | "writes" | "sent" | "received" | "reconciles" | "cache";

/** The measures of a phase, in the order in which they are printed. */
export const MEASURES: readonly CostMeasure[] = [
  "requests",
  "writes",
  "sent",
  "received",
  "reconciles",
  "cache",
];
