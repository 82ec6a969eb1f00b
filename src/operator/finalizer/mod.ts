/**
 * Adds finalizers to objects and removes them, without touching those of others.
 *
 * Enters: objects from a cache, a client. Leaves: JSON patches with tests.
 *
 * @module
 */

export { ensureFinalizer, type FinalizerOptions, removeFinalizer } from "./finalizer.ts";
export { requireFinalizerName } from "./finalizer_patch.ts";
