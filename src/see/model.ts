import type { Story } from "../operator/stories/mod.ts";

/** The state of one watch. */
export interface WatchView {
  /** The resource, as in `deployments.apps`, with the scope in brackets if there is one. */
  readonly name: string;
  /** The phase of the Reflector. */
  readonly phase: "waiting" | "listing" | "watching" | "retrying" | "ended";
  /** How long ago the server last sent anything, in milliseconds; absent before the first answer. */
  readonly silentMs?: number | undefined;
  /** How far the cache is behind the server, or was at the last change of the last minute, in milliseconds, if known. */
  readonly lagMs?: number | undefined;
  /** The number of events per second, over the last seconds. */
  readonly eventsPerSecond: number;
  /** The number of times that the list or the watch began again. */
  readonly reconnects: number;
  /** The number of changes that wait between the watch and the cache. */
  readonly queued: number;
  /** The number of objects in the cache. */
  readonly objects: number;
  /** The names of the controllers that get keys from it. */
  readonly controllers: readonly string[];
  /** The last error, in words, with the remedy. */
  readonly problem?: Problem | undefined;
}

/** An error with its remedy. */
export interface Problem {
  /** The error, in one sentence, without credentials. */
  readonly text: string;
  /** The remedy, in one sentence. */
  readonly remedy: string;
  /** The time of the error (RFC 3339). */
  readonly at: string;
}

/** The state of one controller. */
export interface ControllerView {
  readonly name: string;
  /** The resource that it reconciles. */
  readonly resource: string;
  /** The number of keys that are due. */
  readonly queued: number;
  /** How long the oldest due key has waited, in milliseconds; absent if none is due. */
  readonly oldestMs?: number | undefined;
  /** The number of keys that wait for a time: a backoff, or a delay that a reconcile asked for. */
  readonly delayed: number;
  /** The number of keys that failed and wait for their next attempt. */
  readonly failing: number;
  /** The number of busy workers. */
  readonly busy: number;
  /** The number of workers. */
  readonly workers: number;
  /** The number of reconciles per second, over the last seconds. */
  readonly reconcilesPerSecond: number;
  /** The number of failed reconciles per second, over the last seconds. */
  readonly errorsPerSecond: number;
  /** Whether it is running; a replica that is not the leader, or is starting, is not. */
  readonly isRunning: boolean;
}

/** The kind of a thing that needs attention. */
export type AttentionKind =
  | "backoff"
  | "hot_loop"
  | "gate_timeout"
  | "stuck_finalizer"
  | "definition_missing"
  | "right_missing"
  | "watch_failing"
  | "hung_reconcile"
  | "conflict"
  | "not_settled"
  | "paused";

/** A thing that needs a person. */
export interface Attention {
  readonly kind: AttentionKind;
  /** The trouble, in one sentence: `status.seen is written by widgets in each reconcile`. */
  readonly text: string;
  /** The remedy, in one sentence. */
  readonly remedy: string;
  /** When it began (RFC 3339), if known. */
  readonly since?: string | undefined;
  /** The controller and the key of the story that shows it. */
  readonly controller?: string | undefined;
  readonly key?: string | undefined;
  /** The watch that it is about: a {@linkcode WatchView.name}. */
  readonly watch?: string | undefined;
}

/** One key in the list of keys, for a controller. */
export interface KeyView {
  readonly controller: string;
  readonly key: string;
  /** The result of the last ended reconcile, or `running`, or `queued`; `idle` if no story of it is kept. */
  readonly result: Story["result"] | "queued" | "idle";
  /** The end of the last reconcile, or its start while it is running (RFC 3339). */
  readonly at?: string | undefined;
  /** The number of stories that are kept. */
  readonly stories: number;
  /** The time at which the next reconcile is due (RFC 3339), if one is. */
  readonly nextAt?: string | undefined;
  /** The last error, on one line. */
  readonly error?: string | undefined;
  /** The pause, in words, if the object is paused. */
  readonly paused?: string | undefined;
  /** Whether the object has been deleted. */
  readonly isGone?: boolean | undefined;
}

/** The state that a page shows: a few kilobytes, sent while a page is open, at most twice a second. */
export interface SeeState {
  /** The name of the program: that of the manager, or of the cluster. */
  readonly title: string;
  /** The kind of the program: a manager, or the in-process API server with its actors. */
  readonly kind: "manager" | "cluster";
  /** The phase in words: `starting`, `leading`, `standby`, `stopping`, … */
  readonly phase: string;
  /** The time of this state (RFC 3339). */
  readonly at: string;
  /** The server that the program is connected to, without credentials. */
  readonly server: string;
  readonly watches: readonly WatchView[];
  readonly controllers: readonly ControllerView[];
  readonly attention: readonly Attention[];
  /** The actions that the program takes. */
  readonly actions: readonly ActionName[];
  /** Notes, such as the number of older stories that were dropped. */
  readonly notes?: readonly string[] | undefined;
}

/** An action of a person on the object of a key. */
export type ActionName = "reconcile" | "pause" | "resume";

/** Forms in which stories can be taken away. `workload` is a TypeScript module for `@kubeloop/testing/simulation`. */
export type ExportForm = "json" | "markdown" | "workload";

/**
 * The source of what a page shows: a manager, an API server, or recorded data. All methods may throw; the page shows the
 * message.
 */
export interface SeeSource {
  /** Returns the state now. Called only while a page is open. */
  state(): SeeState;
  /**
   * Returns keys: first the keys that need attention, then the keys with the newest stories.
   *
   * @param query `text` is part of a key or the name of a controller; at most `limit` keys are returned. A key that
   * equals the text is returned in any case.
   */
  keys(query: KeyQuery): { readonly keys: readonly KeyView[]; readonly total: number };
  /** Returns the stories of a key, the oldest first. */
  stories(query: { readonly controller: string; readonly key: string }): readonly Story[];
  /**
   * Returns the last two known versions of the object of a key, as JSON values without managed fields, for a diff. Values of
   * Secrets are masked. Undefined if the object is not in a cache.
   */
  versions(
    query: { readonly controller: string; readonly key: string },
  ): { readonly before?: unknown; readonly after: unknown } | undefined;
  /** Does an action, and returns a sentence about what was done. */
  act(
    action: { readonly name: ActionName; readonly controller: string; readonly key: string },
  ): Promise<string>;
  /** Returns stories as a file. */
  export(
    query: { readonly controller: string; readonly key: string; readonly form: ExportForm },
  ): string;
  /** Calls `changed` when the state may have changed, until the returned function is called. */
  subscribe(changed: () => void): () => void;
}

/** Selects keys. */
export interface KeyQuery {
  readonly text?: string | undefined;
  readonly controller?: string | undefined;
  readonly limit: number;
}
