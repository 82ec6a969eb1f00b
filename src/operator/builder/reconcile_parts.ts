import type { Clock, Logger } from "../../base/mod.ts";
import type { Client, WrittenObject } from "../../client/mod.ts";
import type { KubeObject, ObjectOf, Resource, ResourceDescriptor } from "../../types/mod.ts";
import type { ApplyPassOptions } from "../apply/mod.ts";
import type { EventRecorder } from "../../events/mod.ts";
import type { StatusDraftOptions } from "../status/mod.ts";
import type { CacheReader } from "./kind_cache.ts";

/** What all reconciles of a controller share. */
export interface ReconcileParts<T extends KubeObject> {
  readonly name: string;
  readonly resource: Resource<T>;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The recorder of events; undefined if the controller has declared to record none. */
  readonly recorder: Pick<EventRecorder, "event"> | undefined;
  /** Whether the controller may write the status. */
  readonly writesStatus: boolean;
  readonly reconcileTimeoutMs: number;
  /** The kinds that the controller owns. */
  readonly ownedKinds: readonly ResourceDescriptor[];
  /** What `apply` needs besides the reconcile. */
  readonly applying: Omit<
    ApplyPassOptions,
    "client" | "signal" | "owner" | "children" | "onSkipped"
  >;
  /**
   * Returns the cache of a declared kind; `method` is the name of the caller for the error.
   *
   * @throws {TypeError} When the controller has not declared the kind.
   */
  cacheOf<R extends Resource>(resource: R, method: string): CacheReader<ObjectOf<R>>;
  /** What `status` needs besides the reconcile. */
  readonly reporting: Omit<
    StatusDraftOptions<T>,
    "client" | "object" | "onEarlyWrite" | "onSkipped"
  >;
  /** Returns the signal that aborts when another process may reconcile a key. */
  signalOf(key: string): AbortSignal | undefined;
  /** Notices that this process may not act any more, even if no timer has run: aborts the signals then. */
  checkLease(key: string): void;
  /** Notes a write of the reconcile of a key. */
  wrote(key: string, written: WrittenObject): void;
  /** Counts a write that would have changed nothing. */
  skipped(write: "apply" | "status"): void;
  /** Notes a call of the reconcile of a key that was not awaited. */
  forgotten(key: string, what: string): void;
}
