/** TODO room. @module */

export type { WatchStreamEvent } from "./watch_event.ts";
export { WatchStream } from "./watch_stream.ts";
