/**
 * The stream of a watch: lines, as text or as bytes, and the events in them.
 *
 * Imports `request`.
 *
 * @module
 */

export { WatchStream } from "./watch_stream.ts";
