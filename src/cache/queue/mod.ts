/** TODO room. @module */

export type { Delta, Deltas, DeltaType, PopProcessFunc, TransformFunc } from "./delta.ts";
export { DeltaFIFO, type DeltaFIFOOptions } from "./delta_fifo.ts";
export { FIFOClosedError } from "./fifo_closed_error.ts";
export { InitialPopulation } from "./initial_population.ts";
export { PopGate } from "./pop_gate.ts";
