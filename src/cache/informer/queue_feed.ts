import type { KubeObject } from "../../types/mod.ts";
import type { DeltaFIFO } from "../queue/mod.ts";
import type { ReflectorStore } from "../reflector/mod.ts";
import type { StoreVersion } from "./store_version.ts";

/**
 * Passes the changes of a Reflector to the queue of an informer, and notes lists and refused changes in a
 * {@linkcode StoreVersion}.
 */
export class QueueFeed<T extends KubeObject> implements ReflectorStore<T> {
  readonly #queue: DeltaFIFO<T>;
  readonly #version: StoreVersion;

  constructor(queue: DeltaFIFO<T>, version: StoreVersion) {
    this.#queue = queue;
    this.#version = version;
  }

  get transformer(): ((obj: T) => T) | undefined {
    return this.#queue.transformer;
  }

  add(obj: T): void {
    this.#put("add", obj);
  }

  update(obj: T): void {
    this.#put("update", obj);
  }

  delete(obj: T): void {
    this.#put("delete", obj);
  }

  replace(items: readonly T[], resourceVersion: string): void {
    this.#queue.replace(items, resourceVersion);
    this.#version.listed(this.#queue.length, resourceVersion);
  }

  resync(): void {
    this.#queue.resync();
  }

  #put(change: "add" | "update" | "delete", obj: T): void {
    try {
      this.#queue[change](obj);
    } catch (error) {
      this.#version.lost();
      throw error;
    }
  }
}
