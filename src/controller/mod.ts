/**
 * The controller: a queue and workers that reconcile the objects of an informer, with retries. Start with
 * {@linkcode Controller}.
 *
 * @module
 */

export * from "./controller.ts";
export * from "./key_source.ts";
export type { Reconcile, ReconcileContext, ReconcileResult } from "./reconcile.ts";
export * from "./reconcile_queue.ts";
