/** What a reflector is doing. */
export type ReflectorPhase =
  | "idle"
  | "listing"
  | "streaming-list"
  | "watching"
  | "backing-off"
  | "stopped";

/** How often things have happened to a reflector since it was made. */
export interface ReflectorCounters {
  /** Plain lists begun. */
  lists: number;
  /** Streaming lists begun. */
  streamingLists: number;
  /** Watches begun; a streaming list that goes on as a watch is not one. */
  watches: number;
  /** Watch events and bookmarks handled. */
  events: number;
  /** Lists of either kind that failed. */
  listErrors: number;
  /** Watches that could not be established, ended with an error or were over before they were of use. */
  watchErrors: number;
  /** Watches that were over in less than a second without an event. */
  shortWatches: number;
  /** Watches that were dropped because they were silent for too long. */
  silentWatches: number;
  /** Times it fell back from a streaming list to a plain one. */
  fallbacks: number;
  /** Objects and events that were skipped because they were not what they should be. */
  skipped: number;
  /** Events, lists and resyncs that the store refused. */
  storeErrors: number;
}

/** What a reflector is doing and how it has fared. */
export interface ReflectorSnapshot extends Readonly<ReflectorCounters> {
  /** Its name in log lines. */
  readonly name: string;
  /** What it is doing. */
  readonly phase: ReflectorPhase;
  /** The version of the last list, event or bookmark. */
  readonly lastSyncResourceVersion: string;
  /** The last failure, whether or not it has been overcome. */
  readonly lastError: Error | undefined;
  /** When that was, in milliseconds since the Unix epoch. */
  readonly lastErrorTimeMs: number | undefined;
}
