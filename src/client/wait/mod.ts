/**
 * Waiting for one object: the predicates, and the loop that lists, watches and asks them.
 *
 * In come the lists and watches of a client and a predicate, out comes the object that meets it. Imports `request` and
 * `watch`.
 *
 * @module
 */

export { complete, condition, established } from "./conditions.ts";
export { deleted } from "./deleted.ts";
export { rolledOut } from "./rolled_out.ts";
export { waitForObject, type WaitForOptions } from "./wait_for_object.ts";
export type { ObjectPredicate, Verdict, WaitPredicate } from "./wait_predicate.ts";
