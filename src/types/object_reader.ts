import type { KubeList, KubeObject } from "./minimal/mod.ts";
import type { WatchEvent } from "./watch_event.ts";

/** An event that was read from bytes. */
export type ReadEvent<R extends KubeObject = KubeObject> = WatchEvent<R> & {
  /** The index of the line break after the event, or that of the end of the bytes. */
  readonly end: number;
};

/**
 * Reads responses from their bytes, for caches that do not parse every object. If the reader does not understand a
 * response, the caller parses it as usual.
 *
 * @typeParam R The type that the reader makes of an object.
 */
export interface ObjectReader<R extends KubeObject = KubeObject> {
  /**
   * Reads the body of a list.
   *
   * @param body The whole body. The reader may keep it.
   * @returns The list; undefined if the body does not have the expected form.
   */
  readList(body: Uint8Array): KubeList<R> | undefined;
  /**
   * Reads the event on one line of a watch, and finds the end of the line.
   *
   * @param bytes The bytes that contain the line. They are not changed any more.
   * @param start The index at which the line starts.
   * @param end The index after the last byte that belongs to a whole line: other lines may follow the first.
   * @returns The event; undefined if the line does not have the expected form.
   */
  readEvent(bytes: Uint8Array, start: number, end: number): ReadEvent<R> | undefined;
}
