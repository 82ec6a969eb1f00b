import { DeletedFinalStateUnknown, type Store } from "../store/mod.ts";
import type { Delta, Deltas, PopProcessFunc } from "../queue/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/**
 * Applies the deltas of one object to a store, oldest first, and notifies `handler` of each once the store has it. The
 * content of the store, not the type of the delta, decides whether the notification is an addition or an update.
 *
 * Promises that the handler returns are not awaited, and must not reject.
 *
 * If one delta fails, because the store refuses it or the handler throws, the later ones are still applied. (client-go
 * drops them.)
 *
 * @throws The error of the store or the handler; an `AggregateError` if more than one delta failed.
 *
 * @example Move objects from a queue to a store
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
  applyDeltas(handler, target)(deltas, isInInitialList, ""); // The store makes its own keys.
}

/** The store that deltas are applied to. `IndexedStore` implements it. */
export interface DeltaTarget<T> {
  /** Deletes `obj`, whose key is `key`. */
  delete(obj: T | DeletedFinalStateUnknown<T>, key: string): void;
  /** Stores `obj` under `key` and returns the object that it replaces; undefined if the key is new. */
  exchange(obj: T, key: string): T | undefined;
  /** Called when a change has been reported. */
  settle?(): void;
}

/**
 * Returns a function that does the work of `processDeltas` with a single lookup per delta, because every event passes
 * through it.
 */
export function applyDeltas<T>(
  handler: ResourceEventHandler<T>,
  target: DeltaTarget<T>,
): PopProcessFunc<T> {
  const apply = ({ type, object }: Delta<T>, isInInitialList: boolean, key: string): void => {
    if (type === "Deleted") {
      target.delete(object, key);
      handler.onDelete?.(object);
      return;
    }
    if (DeletedFinalStateUnknown.is(object)) {
      throw new TypeError(
        `Delta "${type}" of "${object.key}" holds a tombstone, must hold an object`,
      );
    }
    const old = target.exchange(object, key);
    if (old === undefined) handler.onAdd?.(object, isInInitialList);
    else handler.onUpdate?.(old, object);
  };
  return (deltas, isInInitialList, key) => {
    let failures: unknown[] | undefined;
    for (const delta of deltas) {
      try {
        apply(delta, isInInitialList, key);
      } catch (thrown) {
        (failures ??= []).push(thrown);
      } finally {
        target.settle?.();
      }
    }
    if (failures === undefined) return;
    if (failures.length === 1) throw failures[0];
    throw new AggregateError(failures, `${failures.length} deltas of one object failed`);
  };
}
