/**
 * The record of a run: what happened in it, who wrote which version, what each process was given, and the state at the end.
 *
 * @module
 */

export {
  type CacheRead,
  Details,
  type Origin,
  type ReadObject,
  type Reconciling,
  type RepeatedCall,
} from "./details.ts";
export {
  callingLine,
  callingPlace,
  directPlace,
  lineIn,
  placeIn,
  raiseStackLimit,
} from "./place.ts";
export { type EndObject, type EndState, endState, FOREIGN_MARK, isCompared } from "./end_state.ts";
export {
  type Happening,
  History,
  type Moment,
  type SentWrite,
  traceLine,
  type Without,
} from "./history.ts";
export { type Commit, Journal, objectName, type Wanted, type WriteBy } from "./journal.ts";
export { givenObjects, type Known, lastKnown } from "./knowledge.ts";
export { fullName, keyOf, later, unnumbered } from "./names.ts";
