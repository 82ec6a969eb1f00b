/**
 * The DeltaFIFO: queues the changes of each object, in order, until a consumer pops them.
 *
 * Imports `store`. The queue depends neither on its producer (a Reflector) nor on its consumer (an informer).
 *
 * @module
 */

export type { Delta, Deltas, DeltaType, PopProcessFunc, TransformFunc } from "./delta.ts";
export { DeltaFIFO, type DeltaFIFOOptions } from "./delta_fifo.ts";
export { FIFOClosedError } from "./fifo_closed_error.ts";
export { InitialPopulation } from "./initial_population.ts";
export { PopGate } from "./pop_gate.ts";
