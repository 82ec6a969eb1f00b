import type { DeletedFinalStateUnknown } from "../store/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/** Options of a {@linkcode FilteringResourceEventHandler}. */
export interface FilteringResourceEventHandlerOptions<T> {
  /** Whether an object passes. On deletions it is given tombstones too. It must not change the object. */
  readonly filterFunc: (obj: T | DeletedFinalStateUnknown<T>) => boolean;
  /** Is told of the objects that pass. */
  readonly handler: ResourceEventHandler<T>;
}

/**
 * A handler that sees only the objects that pass a filter. To it, an object that begins to pass was added, and one that
 * ceases to was deleted.
 *
 * @typeParam T The type of the objects.
 *
 * @example Only what is ours
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

  /** A handler that passes on to `handler` what passes `filterFunc`. */
  constructor(options: FilteringResourceEventHandlerOptions<T>) {
    this.#filterFunc = options.filterFunc;
    this.#handler = options.handler;
  }

  /** An addition, if it passes. */
  onAdd(obj: T, isInInitialList: boolean): void | Promise<void> {
    if (this.#filterFunc(obj)) return this.#handler.onAdd?.(obj, isInInitialList);
  }

  /** An update, an addition or a deletion, by what passed before and passes now. */
  onUpdate(oldObj: T, newObj: T): void | Promise<void> {
    const newPasses = this.#filterFunc(newObj);
    const oldPasses = this.#filterFunc(oldObj);
    if (newPasses && oldPasses) return this.#handler.onUpdate?.(oldObj, newObj);
    if (newPasses) return this.#handler.onAdd?.(newObj, false);
    if (oldPasses) return this.#handler.onDelete?.(oldObj);
  }

  /** A deletion, if the last state or the tombstone passes. */
  onDelete(obj: T | DeletedFinalStateUnknown<T>): void | Promise<void> {
    if (this.#filterFunc(obj)) return this.#handler.onDelete?.(obj);
  }
}
