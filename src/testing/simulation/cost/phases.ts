/** The phases of a cost run, in their order. */
export const PHASES = ["start", "quiet", "change", "shared", "restart"] as const;

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
export type CostPhase = (typeof PHASES)[number];

/** The measures of a phase, in the order in which they are printed. */
export const MEASURES = ["requests", "writes", "sent", "received", "reconciles", "cache"] as const;

/**
 * A measure of a phase:
 *
 * - `requests`: the requests of the processes; `writes`: those that may change an object.
 * - `sent`, `received`: the bytes of the bodies, those of watches included.
 * - `reconciles`: the reconciles of controllers of this library.
 * - `cache`: the bytes, in JSON, of the objects that the open watches cover at the end of the phase: what an informer
 *   without a transform holds.
 */
export type CostMeasure = (typeof MEASURES)[number];
