import type { IndexFunc } from "../../cache/mod.ts";
import type { ReconcileResult } from "../../controller/mod.ts";
import type {
  Cached,
  DefinedResource,
  KubeObject,
  Resource,
  ResourceDescriptor,
} from "../../types/mod.ts";
import type { RateLimiter } from "../../workqueue/mod.ts";
import type { Change } from "./change.ts";
import type { KeyLike, Mapped } from "./mapped_keys.ts";
import type { Predicate } from "./predicates.ts";
import type { Reconciliation } from "./reconciliation.ts";

/** Which objects of a kind are cached. */
export interface CacheScope {
  /** The namespaces. Default: those of the manager. Ignored for cluster-scoped kinds. */
  readonly namespaces?: readonly string[] | undefined;
  /** Selects objects by label. Default: all objects. */
  readonly labelSelector?: string | undefined;
  /** Selects objects by field. Default: all objects. */
  readonly fieldSelector?: string | undefined;
}

/** Options of `Manager.controller`. */
export interface ControllerBuilderOptions<T extends KubeObject> extends CacheScope {
  /**
   * The name in log lines, metrics and the field manager, unique within the manager. Default: the kind in lower case, as
   * in controller-runtime.
   */
  readonly name?: string | undefined;
  /** The number of keys that are reconciled at the same time. Default 1, as in controller-runtime. */
  readonly workers?: number | undefined;
  /** Which changes of the objects themselves cause a reconcile. Default {@linkcode generationChanged}. */
  readonly when?: Predicate<T> | undefined;
  /**
   * The name under which the server records which fields the controller set, and the reporting controller of its Events: a
   * name as those of labels, with at most 63 characters after the slash if there is one. Default: `<name>-controller`.
   */
  readonly fieldManager?: string | undefined;
  /**
   * How long a reconcile may take, in milliseconds. Then its signal aborts, which ends its requests, and the key is
   * retried. Default 300,000: five minutes.
   */
  readonly reconcileTimeoutMs?: number | undefined;
  /**
   * How long a key waits for the caches to show what its last reconcile wrote, in milliseconds. Default 60,000. After
   * that the key is reconciled on what the caches hold; the metric `kubeloop_stale_read_timeouts_total` counts it.
   */
  readonly staleSyncTimeoutMs?: number | undefined;
  /** How many times a failing key is retried; see `ControllerOptions.maxRetries`. Default: for ever. */
  readonly maxRetries?: number | undefined;
  /** Decides when a failed key is retried. Default: `defaultControllerRateLimiter()`. */
  readonly rateLimiter?: RateLimiter<string> | undefined;
  /** Called when the controller gives up on a key; see `ControllerOptions.onGiveUp`. */
  readonly onGiveUp?: ((key: string, error: unknown) => unknown) | undefined;
  /** The period after which all objects are reconciled again, in milliseconds. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  /**
   * Whether `reconcile` may call `status`, so that `Manager.rbac` permits it. Default true, unless the schema of the kind has
   * no status.
   */
  readonly status?: boolean | undefined;
  /** Whether `reconcile` may call `event`, so that `Manager.rbac` permits it. Default true. */
  readonly events?: boolean | undefined;
  /** Whether the controller runs on every replica, rather than on the leader alone. Default false. */
  readonly everyReplica?: boolean | undefined;
}

/** Options of `ControllerBuilder.owns`. */
export interface OwnsOptions<U extends KubeObject> extends CacheScope {
  /** Which changes of owned objects cause a reconcile of the owner. Default: all. */
  readonly when?: Predicate<U> | undefined;
}

/** Options of `ControllerBuilder.watches`. */
export interface WatchesOptions<U extends KubeObject> extends CacheScope {
  /**
   * Returns the objects to reconcile after a change of a watched object. Called with the object before and after an
   * update, and the results are united, as controller-runtime does. It must not take long: it may read caches, and makes
   * no requests.
   */
  readonly map: (object: Cached<U>, change: Change<U>) => Mapped;
  /** Which changes of watched objects matter. Default: all. */
  readonly when?: Predicate<U> | undefined;
}

/** Work on an external object, which must be undone before the object goes; see `ControllerBuilder.finalizer`. */
export interface FinalizerSteps<T extends KubeObject> {
  /**
   * Called before `reconcile`, for objects that are not being deleted, once the object has the finalizer. Default:
   * nothing; `reconcile` does it all.
   */
  readonly apply?: ((reconciliation: Reconciliation<T>) => unknown) | undefined;
  /**
   * Called instead of `reconcile` for an object that is being deleted. After it succeeds the finalizer is removed. It must
   * be safe to call again.
   */
  readonly cleanup: (reconciliation: Reconciliation<T>) => unknown;
}

/** What a reconcile returns. */
export interface PassResult extends ReconcileResult {
  /**
   * Whether to delete the owned objects that this pass has not applied, by their UID. An object of a kind that the
   * controller owns is then kept only if the reconcile called `apply` for it. Do not return it from a pass that ends
   * early. Default false.
   */
  readonly prune?: boolean | undefined;
}

/** Makes the observed state equal to the desired state of one object. */
export type ReconcileObject<T extends KubeObject> = (
  reconciliation: Reconciliation<T>,
) => PassResult | void | PromiseLike<PassResult | void>;

/** A kind whose changes cause reconciles. */
export interface SourcePlan {
  readonly how: "owns" | "watches";
  readonly resource: Resource;
  readonly scope: CacheScope;
  readonly when: Predicate;
  readonly map?: ((object: Cached<KubeObject>, change: Change) => Mapped) | undefined;
}

/** Keys from outside of the cluster. */
export interface TriggerPlan {
  readonly name: string;
  readonly keys: AsyncIterable<KeyLike>;
}

/** Further rights that a reconcile needs; see `ControllerBuilder.needs`. */
export interface NeedsPlan {
  readonly resource: ResourceDescriptor;
  readonly verbs: readonly string[];
  readonly subresource?: string | undefined;
}

/** Reports whether a controller may write the status of its objects. */
export function writesStatus({ resource, options }: ControllerPlan): boolean {
  const { definition } = resource as Partial<DefinedResource>;
  return options.status ?? (definition === undefined || definition.status !== undefined);
}

/** The declaration of a controller. */
export interface ControllerPlan<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly fieldManager: string;
  readonly resource: Resource<T>;
  readonly options: ControllerBuilderOptions<T>;
  readonly sources: readonly SourcePlan[];
  readonly triggers: readonly TriggerPlan[];
  readonly finalizers: ReadonlyMap<string, FinalizerSteps<T>>;
  readonly indexes: Readonly<Record<string, IndexFunc<Cached<T>>>>;
  readonly needs: readonly NeedsPlan[];
  readonly reconcile: ReconcileObject<T>;
}
