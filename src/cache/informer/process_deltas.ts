import { applyDeltas } from "./apply_deltas.ts";
import type { DeletedFinalStateUnknown, Store } from "../store/mod.ts";
import type { Deltas } from "../queue/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/**
 * Applies the changes of one object to a store, oldest first, and tells `handler` of each once the store has it. Whether
 * that is an addition or an update is decided by what the store has, not by the type of the change.
 *
 * It does not wait for asynchronous handlers: their promises are the handler's business and must not reject.
 *
 * A change that fails, be it that the store refuses it or that the handler throws, does not keep the later ones from the
 * store. (client-go gives them up.)
 *
 * @throws What the store or the handler threw; an `AggregateError` when more than one change failed.
 *
 * @example From queue to store
 * ```ts
 * import {
 *   DeltaFIFO,
 *   metaNamespaceKeyFunc,
 *   newStore,
 *   processDeltas,
 *   type ResourceEventHandler,
 * } from "@kubeloop/controller/cache";
 * import type { KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const store = newStore<KubeObject>(metaNamespaceKeyFunc);
 * const queue = new DeltaFIFO<KubeObject>({ knownObjects: store });
 * const added: string[] = [];
 * const handler: ResourceEventHandler<KubeObject> = {
 *   onAdd: (obj) => void added.push(metaNamespaceKeyFunc(obj)),
 * };
 *
 * queue.add({ metadata: { name: "a" } });
 * queue.tryPop((deltas, isInInitialList) => processDeltas(handler, store, deltas, isInInitialList));
 * assertEquals(store.listKeys(), ["a"]);
 * assertEquals(added, ["a"]);
 * ```
 */
export function processDeltas<T>(
  handler: ResourceEventHandler<T>,
  store: Store<T>,
  deltas: Deltas<T>,
  isInInitialList: boolean,
): void {
  const target = {
    delete: (obj: T | DeletedFinalStateUnknown<T>) => store.delete(obj),
    exchange: (obj: T) => {
      const old = store.get(obj);
      if (old === undefined) store.add(obj);
      else store.update(obj);
      return old;
    },
  };
  applyDeltas(handler, target, deltas, isInInitialList);
}
