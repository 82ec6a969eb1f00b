/**
 * The event stream of a watch: reads its lines as text or as bytes, and decodes the events in them.
 *
 * Imports `request`.
 *
 * @module
 */

export { WatchStream } from "./watch_stream.ts";
