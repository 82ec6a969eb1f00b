import type { Gauge } from "../../base/mod.ts";
import { applyDeltas } from "./apply_deltas.ts";
import type { Notification } from "./notification.ts";
import {
  deepFreeze,
  DeletedFinalStateUnknown,
  type IndexedStore,
  resourceVersionOf,
} from "../store/mod.ts";
import { resourceVersionMetric } from "../reflector/mod.ts";
import type { SharedProcessor } from "./shared_processor.ts";
import type { Deltas } from "../queue/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/** Takes changes from the queue into the cache, and then to the handlers. */
export class CacheUpdater<T> implements ResourceEventHandler<T> {
  readonly #store: IndexedStore<T>;
  readonly #processor: SharedProcessor<T>;
  readonly #freezeObjects: boolean;
  readonly #storeVersion: Gauge | undefined;
  readonly #reclaim: () => void;

  constructor(
    store: IndexedStore<T>,
    processor: SharedProcessor<T>,
    options: {
      readonly freezeObjects: boolean;
      readonly storeVersion: Gauge | undefined;
      /** Called after every change. */
      readonly reclaim: () => void;
    },
  ) {
    this.#store = store;
    this.#processor = processor;
    this.#freezeObjects = options.freezeObjects;
    this.#storeVersion = options.storeVersion;
    this.#reclaim = options.reclaim;
  }

  /** Handles the changes of one object. A function of its own, so that taking from the queue costs no closure. */
  readonly process = (deltas: Deltas<T>, isInInitialList: boolean): void => {
    if (this.#freezeObjects) {
      for (const { object } of deltas) {
        if (!DeletedFinalStateUnknown.is(object)) deepFreeze(object);
      }
    }
    applyDeltas(this, this.#store, deltas, isInInitialList);
    this.#reclaim();
    if (this.#storeVersion === undefined) return;
    const version = resourceVersionMetric(this.#store.lastStoreSyncResourceVersion());
    if (version !== undefined) this.#storeVersion.set(version);
  };

  onAdd(obj: T, isInInitialList: boolean): void {
    this.#distribute({ kind: "add", obj, isInInitialList, index: this.#nextIndex() }, false);
  }

  onUpdate(old: T, obj: T): void {
    const isReplay = resourceVersionOf(old) === resourceVersionOf(obj);
    this.#distribute({ kind: "update", old, obj, index: this.#nextIndex() }, isReplay);
  }

  onDelete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.#distribute({ kind: "delete", obj, index: this.#nextIndex() }, false);
  }

  #nextIndex(): number {
    return this.#processor.nextIndex();
  }

  #distribute(notification: Notification<T>, isReplay: boolean): void {
    this.#processor.distribute(notification, isReplay);
  }
}
