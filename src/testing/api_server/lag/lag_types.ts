import type { FaultRequest } from "../http/mod.ts";

/** An event of a watch, as the predicate of a lag sees it. */
export interface LagEvent {
  /** The type of the event that this watch sends. It depends on the selectors of the watch. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The namespace of the object; empty for a cluster-scoped object. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
  /** The UID of the object. */
  readonly uid: string;
  /** The resource version of the write. */
  readonly resourceVersion: string;
}

/** An injected lag. */
export interface Lag {
  /**
   * The number of events that the lag kept back or coalesced, and of reads that it answered otherwise than a server
   * without lag. If it is 0, the lag had no effect.
   */
  readonly hits: number;
  /** Ends the lag and delivers what it kept back. Does nothing if the lag has ended already. */
  release(): void;
}

/** Options of {@linkcode LagInjector.hold}. */
export interface HoldOptions {
  /**
   * Reports whether a hold begins with this event of this watch. Called for each event while no hold is in effect
   * there. Default: it begins with the first event.
   */
  readonly when?: ((watch: FaultRequest, event: LagEvent) => boolean) | undefined;
  /** How long events are kept back, in milliseconds. Default: until the lag is released. */
  readonly forMs?: number | undefined;
  /**
   * The scope of the lag. `watch`: the watch that got the event. `resource`: the API server's cache of that resource, with
   * all its watches, even if they are opened during the hold, and its reads that may come from the cache.
   * Default: `watch`.
   */
  readonly scope?: "watch" | "resource" | undefined;
  /**
   * For the scope `resource`: selects the watches, lists and gets that the late cache serves, as if some clients were
   * connected to another API server. Default: all of that resource.
   */
  readonly clients?: ((request: FaultRequest) => boolean) | undefined;
  /** The number of holds, at least 1, after which none begins any more. Default: no limit. */
  readonly times?: number | undefined;
}

/** Options of {@linkcode LagInjector.coalesce}. */
export interface CoalesceOptions {
  /** Reports whether to coalesce this event of this watch with the next one of the same object. Default: yes. */
  readonly when?: ((watch: FaultRequest, event: LagEvent) => boolean) | undefined;
  /** How long to wait for the next event of the object, in milliseconds. Default: 60,000. */
  readonly withinMs?: number | undefined;
  /** The number of times, at least 1, that two events become one. Default: no limit. */
  readonly times?: number | undefined;
}

/** Options of {@linkcode LagInjector.freeze}. */
export interface FreezeOptions {
  /**
   * The resource version of the replica: a version in the history of the server, or a future version at which the replica
   * then stops.
   */
  readonly at: string;
  /** Selects the watches, lists and gets that the replica serves. It runs once per request. Default: all. */
  readonly when?: ((request: FaultRequest) => boolean) | undefined;
  /** Restricts the lag to one resource, by its full name (`deployments.apps`). Default: all resources. */
  readonly resource?: string | undefined;
}

/** Options of {@linkcode LagInjector.shuffle}. */
export interface ShuffleOptions {
  /** Selects the lists and watches. Default: all. */
  readonly when?: ((request: FaultRequest) => boolean) | undefined;
}
