import type { Clock, Logger } from "../../base/mod.ts";
import type { Client, EndedRequest, WrittenObject } from "../../client/mod.ts";
import type { KubeObject, ObjectOf, Resource, ResourceDescriptor } from "../../types/mod.ts";
import type { ApplyPassOptions } from "../apply/mod.ts";
import type { EventRecorder } from "../../events/mod.ts";
import type { StatusDraftOptions } from "../status/mod.ts";
import type { CacheReader } from "./cache_reader.ts";

/** The services of a controller that all of its reconciles share. */
export interface ReconcileServices<T extends KubeObject> {
  readonly name: string;
  readonly resource: Resource<T>;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The recorder of Events; undefined for a controller with `events: false`. */
  readonly recorder: Pick<EventRecorder, "event"> | undefined;
  /** Whether the controller may write the status. */
  readonly writesStatus: boolean;
  /** Whether the declaration of the kind has conditions. */
  readonly hasConditions: boolean;
  readonly reconcileTimeoutMs: number;
  /** The kinds that the controller owns. */
  readonly ownedKinds: readonly ResourceDescriptor[];
  /** The options of `apply` that do not depend on the reconcile. */
  readonly applying: Omit<
    ApplyPassOptions,
    "client" | "signal" | "owner" | "children" | "onSkipped"
  >;
  /**
   * Returns the cache of a declared kind; `method` is the name of the caller in the error.
   *
   * @throws {TypeError} If the controller has not declared the kind.
   */
  cacheOf<R extends Resource>(resource: R, method: string): CacheReader<ObjectOf<R>>;
  /** The options of `status` that do not depend on the reconcile. */
  readonly reporting: Omit<
    StatusDraftOptions<T>,
    "client" | "object" | "onEarlyWrite" | "onSkipped"
  >;
  /** Returns the signal that aborts before another process may reconcile a key. */
  signalOf(key: string): AbortSignal | undefined;
  /** Aborts the signals if the lease is lost, even if no timer has run. */
  checkLease(key: string): void;
  /** Records a write of the reconcile of a key. */
  wrote(key: string, written: WrittenObject): void;
  /** Records a request of the reconcile of a key that the server has refused. */
  refused(key: string, request: EndedRequest): void;
  /** Counts a write that would have changed nothing. */
  skipped(write: "apply" | "status"): void;
  /** Records a call of the reconcile of a key that was not awaited. */
  forgotten(key: string, what: string): void;
}
