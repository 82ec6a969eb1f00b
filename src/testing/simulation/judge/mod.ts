/**
 * The judge: what must hold in a run, how its end state may differ from the expected one, and the verdict.
 *
 * @module
 */

export { compareStates, describeDifference, type Difference } from "./compare_states.ts";
export { Heartbeats } from "./heartbeats.ts";
export { HotWrites } from "./hot_writes.ts";
export { Judge, minutes } from "./judge.ts";
export { lastChange } from "./last_change.ts";
export type { ChangedState, Expected, ExpectedState, RunRecord } from "./run_record.ts";
export { type Undone, undoneIn } from "./standing.ts";
export { staleDelete } from "./stale_delete.ts";
export { seriousDifferences, type Tolerance } from "./tolerance.ts";
export { type Oracle, Verdict, type Wrong } from "./verdict.ts";
