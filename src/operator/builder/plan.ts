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
import type { EveryOptions } from "./periodic_keys.ts";
import type { Predicate } from "./predicates.ts";
import type { ReferencesOf } from "./reference_names.ts";
import type { Reconciliation } from "./reconciliation.ts";

/** The cached objects of a kind. */
export interface CacheScope {
  /** The namespaces. Default: the namespaces of the manager. Ignored for cluster-scoped kinds. */
  readonly namespaces?: readonly string[] | undefined;
  /** A label selector, such as `app=web`. Default: all objects. */
  readonly labelSelector?: string | undefined;
  /** A field selector, such as `status.phase=Running`. Default: all objects. */
  readonly fieldSelector?: string | undefined;
  /**
   * Whether the server may lack the kind. Its cache is then empty, and starts and ends as the kind comes and goes. Default
   * false: a manager does not start without the kind.
   */
  readonly optional?: boolean | undefined;
}

/** Options of `ControllerBuilder.references`. */
export type ReferencesOptions = Pick<CacheScope, "optional">;

/** Options of `Manager.controller`. */
export interface ControllerBuilderOptions<T extends KubeObject> extends CacheScope {
  /**
   * The name in log lines, metrics and the field manager; unique within the manager. Default: the kind in lower case, as in
   * controller-runtime.
   */
  readonly name?: string | undefined;
  /** The number of concurrent reconciles. Default 1, as in controller-runtime. */
  readonly workers?: number | undefined;
  /** Selects the changes of the objects themselves that cause a reconcile. Default {@linkcode generationChanged}. */
  readonly when?: Predicate<T> | undefined;
  /**
   * The field manager of applied fields, and the reporting controller of the Events. A qualified name like the key of a
   * label, with at most 63 characters after an optional prefix and slash. Default: `<name>-controller`.
   */
  readonly fieldManager?: string | undefined;
  /**
   * Time limit of a reconcile, in milliseconds. Then its signal aborts, which ends its requests, and the key is retried.
   * Default 300,000: five minutes.
   */
  readonly reconcileTimeoutMs?: number | undefined;
  /**
   * Maximum time for which a key waits until the caches show the writes of its last reconcile, in milliseconds. After that
   * the key is reconciled on stale caches; the metric `kubeloop_stale_read_timeouts_total` counts it. Default 60,000.
   */
  readonly staleSyncTimeoutMs?: number | undefined;
  /** Maximum number of retries of a failing key; see `ControllerOptions.maxRetries`. Default: no limit. */
  readonly maxRetries?: number | undefined;
  /** Determines the delays of retries. Default: `defaultControllerRateLimiter()`. */
  readonly rateLimiter?: RateLimiter<string> | undefined;
  /** Called when the controller gives up on a key; see `ControllerOptions.onGiveUp`. */
  readonly onGiveUp?: ((key: string, error: unknown) => unknown) | undefined;
  /**
   * Reconciles each object once in each period, although nothing has changed, for state outside of the cluster that may
   * drift. The objects are spread over the period by their UIDs. Default: never.
   */
  readonly every?: EveryOptions | undefined;
  /**
   * Whether a newer generation of an object ends its running reconcile, by its signal. The key is then reconciled at once,
   * and no failure is counted. The own writes of a reconcile do not end it. Kinds without `metadata.generation` have no newer
   * generation. Default false: the reconcile is completed, and another one follows.
   */
  readonly supersede?: boolean | undefined;
  /**
   * Whether `reconcile` may call `status`, and `Manager.rbac` grants the right. Default true, unless the schema of the kind
   * has no status.
   */
  readonly status?: boolean | undefined;
  /** Whether `reconcile` may call `event`, and `Manager.rbac` grants the right. Default true. */
  readonly events?: boolean | undefined;
  /**
   * Whether the conditions of the objects are counted: `kubeloop_object_conditions` and the metrics beside it. Default: for
   * kinds of `defineResource` whose schema has a status.
   */
  readonly conditionMetrics?: boolean | undefined;
  /** Whether the controller runs on every replica, rather than only on the leader. Default false. */
  readonly everyReplica?: boolean | undefined;
}

/** Options of `ControllerBuilder.owns`. */
export interface OwnsOptions<U extends KubeObject> extends CacheScope {
  /** Selects the changes of owned objects that cause a reconcile of the owner. Default: all. */
  readonly when?: Predicate<U> | undefined;
}

/** Options of `ControllerBuilder.watches`. */
export interface WatchesOptions<U extends KubeObject> extends CacheScope {
  /**
   * Returns the objects to reconcile after a change of a watched object. After an update, it is called with the old and with
   * the new object, and the results are combined, as in controller-runtime. It must be fast: it may read caches, but must
   * not make requests.
   */
  readonly map: (object: Cached<U>, change: Change<U>) => Mapped;
  /** Selects the changes of watched objects that cause reconciles. Default: all. */
  readonly when?: Predicate<U> | undefined;
}

/** Work outside of the cluster that must be undone before the object is deleted; see `ControllerBuilder.finalizer`. */
export interface FinalizerSteps<T extends KubeObject> {
  /**
   * Does the work. Called before `reconcile` for an object that has the finalizer and is not being deleted. Default:
   * `reconcile` does all of the work.
   */
  readonly apply?: ((reconciliation: Reconciliation<T>) => unknown) | undefined;
  /**
   * Undoes the work. Called instead of `reconcile` for an object that is being deleted. The finalizer is removed after it
   * succeeds. It must be idempotent.
   */
  readonly cleanup: (reconciliation: Reconciliation<T>) => unknown;
}

/** The result of a reconcile. */
export interface PassResult extends ReconcileResult {
  /**
   * Whether to delete the owned objects that this reconcile has not applied, by their UID. An object of an owned kind is kept
   * only if the reconcile called `apply` for it, so do not return `prune` from a reconcile that ends early. Default false.
   */
  readonly prune?: boolean | undefined;
}

/** Brings the observed state of one object to its desired state. */
export type ReconcileObject<T extends KubeObject> = (
  reconciliation: Reconciliation<T>,
) => PassResult | void | PromiseLike<PassResult | void>;

/** An owned or watched kind. */
export interface SourcePlan {
  readonly how: "owns" | "watches";
  readonly resource: Resource;
  readonly scope: CacheScope;
  readonly when: Predicate;
  readonly map?: ((object: Cached<KubeObject>, change: Change) => Mapped) | undefined;
}

/** A kind whose objects the objects of the controller refer to. */
export interface ReferencesPlan<T extends KubeObject = KubeObject> {
  readonly resource: Resource;
  readonly functions: readonly ReferencesOf<T>[];
  readonly optional: boolean;
}

/** A source of keys outside of the cluster. */
export interface TriggerPlan {
  readonly name: string;
  readonly keys: AsyncIterable<KeyLike>;
}

/** A further right of a reconcile; see `ControllerBuilder.needs`. */
export interface RequiredRight {
  readonly resource: ResourceDescriptor;
  readonly verbs: readonly string[];
  readonly subresource?: string | undefined;
}

/** Reports whether a controller may write the status of its objects. */
export function writesStatus({ resource, options }: ControllerPlan): boolean {
  const { definition } = resource as Partial<DefinedResource>;
  return options.status ?? (definition === undefined || definition.status !== undefined);
}

/** Reports whether the declaration of a kind has conditions. A status of `defineResource` does. */
export function declaresConditions(resource: Resource): boolean {
  return (resource as Partial<DefinedResource>).definition?.status !== undefined;
}

/** The complete declaration of a controller. */
export interface ControllerPlan<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly fieldManager: string;
  readonly resource: Resource<T>;
  readonly options: ControllerBuilderOptions<T>;
  readonly sources: readonly SourcePlan[];
  readonly references: readonly ReferencesPlan<T>[];
  readonly triggers: readonly TriggerPlan[];
  readonly finalizers: ReadonlyMap<string, FinalizerSteps<T>>;
  readonly indexes: Readonly<Record<string, IndexFunc<Cached<T>>>>;
  readonly requiredRights: readonly RequiredRight[];
  readonly reconcile: ReconcileObject<T>;
}
