import {
  isFunction,
  isObject,
  type OptionChecks,
  requireOptions,
  requireSync,
} from "../../base/mod.ts";
import type { DeletedFinalStateUnknown } from "../store/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/** Options of a {@linkcode FilteringResourceEventHandler}. */
export interface FilteringResourceEventHandlerOptions<T> {
  /**
   * Returns whether an object passes the filter. A deleted object may be a tombstone. The function must not change
   * objects.
   */
  readonly filterFunc: (obj: T | DeletedFinalStateUnknown<T>) => boolean;
  /** Notified of the objects that pass the filter. */
  readonly handler: ResourceEventHandler<T>;
}

const CHECKS: OptionChecks<FilteringResourceEventHandlerOptions<never>> = {
  filterFunc: isFunction,
  handler: isObject,
};

/**
 * A handler that notifies another handler only of the objects that pass a filter. An update becomes an addition if only
 * the new state passes, and a deletion if only the old state passes.
 *
 * @typeParam T The type of the objects.
 *
 * @example Only objects with a label
 * ```ts
 * import {
 *   DeletedFinalStateUnknown,
 *   FilteringResourceEventHandler,
 * } from "@kubeloop/controller/cache";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const seen: string[] = [];
 * const handler = new FilteringResourceEventHandler<Pod>({
 *   filterFunc: (obj) => {
 *     const pod = DeletedFinalStateUnknown.lastKnownState(obj);
 *     return pod?.metadata.labels?.app === "web";
 *   },
 *   handler: { onAdd: () => void seen.push("add"), onDelete: () => void seen.push("delete") },
 * });
 * const other: Pod = { metadata: { name: "a" } };
 * const web: Pod = { metadata: { name: "a", labels: { app: "web" } } };
 * handler.onAdd(other, false);
 * handler.onUpdate(other, web);
 * handler.onUpdate(web, other);
 * assertEquals(seen, ["add", "delete"]);
 * ```
 */
export class FilteringResourceEventHandler<T> implements ResourceEventHandler<T> {
  readonly #filterFunc: (obj: T | DeletedFinalStateUnknown<T>) => boolean;
  readonly #handler: ResourceEventHandler<T>;

  /** Creates a handler that filters with `filterFunc` and notifies `handler`. */
  constructor(options: FilteringResourceEventHandlerOptions<T>) {
    requireOptions<FilteringResourceEventHandlerOptions<T>>(
      "FilteringResourceEventHandler",
      options,
      CHECKS,
    );
    this.#filterFunc = options.filterFunc;
    this.#handler = options.handler;
  }

  /** Passes an addition on if the object passes the filter. */
  onAdd(obj: T, isInInitialList: boolean): void | Promise<void> {
    if (this.#passes(obj)) return this.#handler.onAdd?.(obj, isInInitialList);
  }

  /**
   * Passes an update on: as an addition if only the new state passes the filter, as a deletion if only the old state
   * does.
   */
  onUpdate(oldObj: T, newObj: T): void | Promise<void> {
    const newPasses = this.#passes(newObj);
    const oldPasses = this.#passes(oldObj);
    if (newPasses && oldPasses) return this.#handler.onUpdate?.(oldObj, newObj);
    if (newPasses) return this.#handler.onAdd?.(newObj, false);
    if (oldPasses) return this.#handler.onDelete?.(oldObj);
  }

  /** Passes a deletion on if the last state or the tombstone passes the filter. */
  onDelete(obj: T | DeletedFinalStateUnknown<T>): void | Promise<void> {
    if (this.#passes(obj)) return this.#handler.onDelete?.(obj);
  }

  #passes(obj: T | DeletedFinalStateUnknown<T>): boolean {
    return requireSync("filterFunc", this.#filterFunc(obj));
  }
}
