/**
 * The DeltaFIFO: what has happened to each object, in order, until someone pops it.
 *
 * Imports `store`. It knows neither who writes to it (a Reflector) nor who pops from it (an informer).
 *
 * @module
 */

export type { Delta, Deltas, DeltaType, PopProcessFunc, TransformFunc } from "./delta.ts";
export { DeltaFIFO, type DeltaFIFOOptions } from "./delta_fifo.ts";
export { FIFOClosedError } from "./fifo_closed_error.ts";
export { InitialPopulation } from "./initial_population.ts";
export { PopGate } from "./pop_gate.ts";
