/**
 * The stream of a watch: lines, as text or as bytes, and the events in them.
 *
 * Imports `request`.
 *
 * @module
 */

export type { WatchStreamEvent } from "./watch_event.ts";
export { WatchStream } from "./watch_stream.ts";
