import type { KubeList, KubeObject } from "./meta.ts";
import type { WatchEvent } from "./watch_event.ts";

/**
 * Reads answers from their bytes, for caches that do not parse what nobody looks at. Whatever it does not understand it
 * leaves to the one that asks it, who then parses as always.
 *
 * @typeParam R What it makes of an object.
 */
export interface ObjectReader<R extends KubeObject = KubeObject> {
  /**
   * Reads the body of a list.
   *
   * @param body The whole body, which is the reader's from now on.
   * @returns The list; undefined when the body is not what it expects.
   */
  readList(body: Uint8Array): KubeList<R> | undefined;
  /**
   * Reads one line of a watch.
   *
   * @param bytes What the line is part of; it is not changed any more.
   * @param start Where the line begins.
   * @param end Where it ends.
   * @returns The event; undefined when the line is not what it expects.
   */
  readEvent(bytes: Uint8Array, start: number, end: number): WatchEvent<R> | undefined;
}
