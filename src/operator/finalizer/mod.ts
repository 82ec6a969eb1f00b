/**
 * Adds finalizers to objects and removes them, with JSON patches that keep the finalizers of other controllers.
 *
 * @module
 */

export { ensureFinalizer, type FinalizerOptions, removeFinalizer } from "./finalizer.ts";
export { requireFinalizerName } from "./finalizer_patch.ts";
