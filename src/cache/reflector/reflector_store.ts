import type { KubeObject } from "../../types/mod.ts";

/**
 * The store that a {@linkcode Reflector} writes to. Store, Indexer and DeltaFIFO implement it.
 *
 * A method that throws refuses the change. After a refused event the reflector logs the error and continues with the
 * next event. After a refused {@linkcode ReflectorStore.replace} or {@linkcode ReflectorStore.resync} it lists again
 * with backoff.
 *
 * @typeParam T The interface of the objects.
 */
export interface ReflectorStore<T extends KubeObject = KubeObject> {
  /**
   * Adds an object.
   *
   * @param obj The added object.
   */
  add(obj: T): void;
  /**
   * Updates an object.
   *
   * @param obj The object after the change.
   */
  update(obj: T): void;
  /**
   * Deletes an object.
   *
   * @param obj The last state of the deleted object.
   */
  delete(obj: T): void;
  /**
   * Replaces the whole content of the store with a list.
   *
   * @param items The listed objects.
   * @param resourceVersion The resource version of the list.
   */
  replace(items: readonly T[], resourceVersion: string): void;
  /**
   * Does the work of {@linkcode ReflectorStore.replace} in short steps, between which the reflector lets the event loop
   * turn. The reflector prefers it to `replace`. Events follow after the last step, and no further step if the reflector
   * stops. Optional.
   *
   * @param items The listed objects.
   * @param resourceVersion The resource version of the list.
   * @returns The steps. Each iteration does one.
   */
  replaceInSteps?(items: readonly T[], resourceVersion: string): Iterable<void>;
  /** Replays the content of the store to its consumers. In a plain store it does nothing. */
  resync(): void;
  /**
   * Notes that the content is up to date as of a bookmark. Optional.
   *
   * @param resourceVersion The resource version of the bookmark.
   */
  bookmark?(resourceVersion: string): void;
  /**
   * Notes each resource version that the reflector reaches. Optional.
   *
   * @param resourceVersion The resource version.
   */
  updateResourceVersion?(resourceVersion: string): void;
  /**
   * The transform that the store applies to objects before it keeps them. If it is set, the reflector also applies it
   * to the objects of a streaming list. Optional.
   */
  readonly transformer?: ((obj: T) => T) | undefined;
}
