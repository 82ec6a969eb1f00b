import type { KubeObject } from "../../types/mod.ts";

/**
 * What a {@linkcode Reflector} writes to. A Store, an Indexer and a DeltaFIFO fit it.
 *
 * A method that throws has refused the object: for single events the reflector logs that and goes on, for
 * {@linkcode ReflectorStore.replace} it lists again after a while.
 *
 * @typeParam T The interface of the objects.
 */
export interface ReflectorStore<T extends KubeObject = KubeObject> {
  /**
   * Takes an object that was added.
   *
   * @param obj The object.
   */
  add(obj: T): void;
  /**
   * Takes an object that was changed.
   *
   * @param obj The object after the change.
   */
  update(obj: T): void;
  /**
   * Takes an object that was deleted.
   *
   * @param obj The object in its last state.
   */
  delete(obj: T): void;
  /**
   * Takes a whole list in place of everything it holds.
   *
   * @param items The objects.
   * @param resourceVersion The list's version.
   */
  replace(items: readonly T[], resourceVersion: string): void;
  /** Replays what it holds to whoever it feeds; a no-op in a plain store. */
  resync(): void;
  /**
   * Learns that nothing changed up to a version. Optional.
   *
   * @param resourceVersion The bookmark's version.
   */
  bookmark?(resourceVersion: string): void;
  /**
   * Learns of every version the reflector has reached. Optional.
   *
   * @param resourceVersion The version.
   */
  updateResourceVersion?(resourceVersion: string): void;
  /** What it does to objects before it keeps them; the reflector then does it in a streaming list too. Optional. */
  readonly transformer?: ((obj: T) => T) | undefined;
}
