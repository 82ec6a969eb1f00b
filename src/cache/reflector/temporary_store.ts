import { requireSync } from "../../base/mod.ts";
import type { KubeObject } from "../../types/mod.ts";
import { metaNamespaceKeyFunc } from "../store/mod.ts";
import type { EventStore } from "./event_handling.ts";

/** Holds the initial objects of a streaming list until the bookmark says that they are complete. */
export class TemporaryStore<T extends KubeObject> implements EventStore<T> {
  readonly #objects = new Map<string, T>();
  readonly #transformer: ((obj: T) => T) | undefined;

  /** @param transformer Applied to each object at once, so that what it strips does not take memory. */
  constructor(transformer: ((obj: T) => T) | undefined) {
    this.#transformer = transformer;
  }

  add(obj: T): void {
    const kept = this.#transformer === undefined
      ? obj
      : requireSync("transformer", this.#transformer(obj));
    this.#objects.set(metaNamespaceKeyFunc(kept), kept);
  }

  update(obj: T): void {
    this.add(obj);
  }

  delete(obj: T): void {
    this.#objects.delete(metaNamespaceKeyFunc(obj));
  }

  list(): T[] {
    return [...this.#objects.values()];
  }
}
