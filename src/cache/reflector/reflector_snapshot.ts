/** The current activity of a reflector. */
export type ReflectorPhase =
  | "idle"
  | "listing"
  | "streaming-list"
  | "watching"
  | "backing-off"
  | "stopped";

/** The counters of a reflector, from its creation on. */
export interface ReflectorCounters {
  /** Plain lists that were started. */
  lists: number;
  /** Streaming lists that were started. */
  streamingLists: number;
  /** Watches that were started. A streaming list that continues as a watch does not count. */
  watches: number;
  /** Watch events and bookmarks that were handled. */
  events: number;
  /**
   * Plain and streaming lists that failed. A list that was repeated at once at the newest version does not count, nor
   * does a streaming list that a plain list replaced.
   */
  listErrors: number;
  /** Watches that could not be established, ended with an error, or ended in less than a second without an event. */
  watchErrors: number;
  /** Watches that ended in less than a second without an event. */
  shortWatches: number;
  /** Watches that were dropped because they were silent for too long or still open after their timeout. */
  silentWatches: number;
  /** Fallbacks from a streaming list to a plain list. */
  fallbacks: number;
  /** Objects and events that were skipped because they were invalid. */
  skipped: number;
  /** Events, lists and resyncs that the store refused. */
  storeErrors: number;
}

/** The state of a reflector. */
export interface ReflectorSnapshot extends Readonly<ReflectorCounters> {
  /** The name of the reflector in log lines. */
  readonly name: string;
  /** The current activity of the reflector. */
  readonly phase: ReflectorPhase;
  /** The resource version of the last list, event or bookmark; empty before the first list. */
  readonly lastSyncResourceVersion: string;
  /** The last failure, even if the reflector has recovered since; undefined if there was no failure. */
  readonly lastError: Error | undefined;
  /** The time of the last failure, in milliseconds since the Unix epoch. */
  readonly lastErrorTimeMs: number | undefined;
}
