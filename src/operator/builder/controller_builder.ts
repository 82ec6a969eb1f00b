import { isObject, isRecord, requireFunctions, requireOptions } from "../../base/mod.ts";
import type { IndexFunc } from "../../cache/mod.ts";
import type { ControllerSnapshot } from "../../controller/mod.ts";
import {
  type Cached,
  type KubeObject,
  type ObjectOf,
  type Resource,
  resourceName,
} from "../../types/mod.ts";
import { requireReportingController } from "../../events/mod.ts";
import { requireFinalizerName } from "../finalizer/mod.ts";
import {
  CONTROLLER_CHECKS,
  FINALIZER_CHECKS,
  OWNS_CHECKS,
  REFERENCES_CHECKS,
  requireResource,
  requireScope,
  requireSubresource,
  requireVerbs,
  WATCHES_CHECKS,
} from "./declaration_checks.ts";
import { isAlike } from "./declared_caches.ts";
import type { KeyLike } from "./mapped_keys.ts";
import type {
  ControllerBuilderOptions,
  ControllerPlan,
  FinalizerSteps,
  OwnsOptions,
  ReconcileObject,
  ReferencesOptions,
  ReferencesPlan,
  RequiredRight,
  SourcePlan,
  TriggerPlan,
  WatchesOptions,
} from "./plan.ts";
import { anyChange, type Predicate } from "./predicates.ts";
import type { ReferencesSnapshot } from "./referenced_kind.ts";
import type { Referenced, ReferencesOf } from "./reference_names.ts";

/** A declared controller. */
export interface ControllerHandle {
  /** The name of the controller. */
  readonly name: string;
  /**
   * Adds a key to reconcile.
   *
   * @param key The key, such as `default/web`.
   * @throws {TypeError} If the key is invalid.
   */
  trigger(key: string): void;
  /**
   * Returns the state of the controller and its counters.
   *
   * @returns A copy of the state.
   */
  snapshot(): ManagedSnapshot;
}

/** The state of a controller of a manager. */
export interface ManagedSnapshot extends ControllerSnapshot {
  /** The number of keys that wait until the caches show their own writes. */
  readonly waitingForCaches: number;
  /** The references to objects of other kinds; see {@linkcode ControllerBuilder.references}. */
  readonly references: readonly ReferencesSnapshot[];
}

/** The valid names: a name must fit into metrics, field managers and Events. */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,100}[a-z0-9])?$/;

/**
 * Declares a controller of a manager: controller-runtime's `builder`. `Manager.controller` creates it. Its methods return the
 * builder, and {@linkcode ControllerBuilder.reconcile} completes the declaration.
 *
 * @typeParam T The interface of the objects that the controller reconciles.
 */
export class ControllerBuilder<T extends KubeObject> {
  /** The name of the controller. */
  readonly name: string;
  readonly #fieldManager: string;
  readonly #resource: Resource<T>;
  readonly #options: ControllerBuilderOptions<T>;
  readonly #complete: (plan: ControllerPlan<T>) => ControllerHandle;
  readonly #sources: SourcePlan[] = [];
  readonly #references: ReferencesPlan<T>[] = [];
  readonly #triggers: TriggerPlan[] = [];
  readonly #finalizers = new Map<string, FinalizerSteps<T>>();
  readonly #indexes: Record<string, IndexFunc<Cached<T>>> = {};
  readonly #requiredRights: RequiredRight[] = [];
  #reconcile: ReconcileObject<T> | undefined;

  /**
   * Begins a declaration. Only a manager calls this.
   *
   * @param resource The kind to reconcile.
   * @param options The options of the controller.
   * @param complete Called with the complete declaration.
   * @throws {TypeError | RangeError} If an option is invalid.
   *
   * @internal
   */
  constructor(
    resource: Resource<T>,
    options: ControllerBuilderOptions<T>,
    complete: (plan: ControllerPlan<T>) => ControllerHandle,
  ) {
    requireResource("controller()", resource);
    requireOptions("controller()", options, CONTROLLER_CHECKS);
    requireScope(options);
    const { name = resource.kind.toLowerCase() } = options;
    if (typeof name !== "string" || !NAME.test(name)) {
      throw new TypeError(
        `Invalid name of a controller: ${
          JSON.stringify(name)
        }, expected lower-case letters, digits, "-" and "."`,
      );
    }
    const { fieldManager = `${name}-controller` } = options;
    requireReportingController(
      options.fieldManager === undefined
        ? `The controller "${name}" needs a shorter name, or { fieldManager }, which`
        : "fieldManager, which its Events have as their reportingController,",
      fieldManager,
    );
    this.name = name;
    this.#fieldManager = fieldManager;
    this.#resource = resource;
    this.#options = options;
    this.#complete = complete;
  }

  /**
   * Declares a kind whose objects the controller creates. A change of such an object reconciles its controller owner,
   * matched by group, kind and UID. `apply` sets the owner reference, and `prune` deletes objects that are no longer applied.
   *
   * @typeParam R The type of the kind, which determines the type of the objects.
   * @param resource The owned kind.
   * @param options The predicate and the cached objects.
   * @returns The builder.
   * @throws {TypeError} If a namespaced kind would own a cluster-scoped kind: the garbage collector would delete the objects.
   */
  owns<R extends Resource>(resource: R, options?: OwnsOptions<ObjectOf<R>>): this;
  owns<U extends KubeObject>(resource: Resource<U>, options: OwnsOptions<U> = {}): this {
    requireResource("owns()", resource);
    requireOptions("owns()", options, OWNS_CHECKS);
    if (this.#resource.namespaced && !resource.namespaced) {
      throw new TypeError(
        `Cannot own ${
          resourceName(resource)
        }: it is cluster-scoped, and the namespaced ${this.#resource.kind} ` +
          "cannot be its owner. Use watches() with a label or an index, and a finalizer that deletes it",
      );
    }
    this.#addSource({ ...options, resource, how: "owns" });
    return this;
  }

  /**
   * Declares a kind whose objects the controller reads. A change of such an object reconciles the objects that `map` returns.
   *
   * @typeParam R The type of the kind, which determines the type of the objects.
   * @param resource The watched kind; `metadataOf(resource)` caches only the metadata, `fieldsOf(resource, …)` some fields.
   * @param options The mapper, the predicate and the cached objects.
   * @returns The builder.
   * @throws {TypeError} If `map` is missing.
   */
  watches<R extends Resource>(resource: R, options: WatchesOptions<ObjectOf<R>>): this;
  watches<U extends KubeObject>(resource: Resource<U>, options: WatchesOptions<U>): this {
    requireResource("watches()", resource);
    if (!isRecord(options) || options.map === undefined) {
      throw new TypeError(
        `watches() of ${resourceName(resource)} needs { map }, which returns the keys to reconcile`,
      );
    }
    requireOptions("watches()", options, WATCHES_CHECKS);
    this.#addSource({ ...options, resource, how: "watches" });
    return this;
  }

  /**
   * Declares a kind whose objects the objects of the controller refer to by name. It watches only the objects that are
   * referred to, and a change of one of them reconciles the objects that refer to it. `cache(resource).get(name, namespace)`
   * in a reconcile returns it; undefined if it does not exist. A key waits until the watches of its references have synced;
   * other keys do not.
   *
   * There are at most 25 watches: one for each object; beyond that, one for the namespace with most of them, and at last one
   * for all objects in the namespaces of the manager. A watch ends when nothing refers to its objects any more.
   *
   * @typeParam R The type of the kind.
   * @param resource The referenced kind; `metadataOf(resource)` caches only the metadata.
   * @param of Returns the names of the referenced objects, as in `[object.spec.secret]`. Undefined and empty names are
   * skipped. A name is looked up in the namespace of the referring object. `namespace/name` and `{ name, namespace }` name
   * another namespace; if users may not, return `{ name }`. The function must be fast, and must depend on the object alone.
   * @param options Whether the server may lack the kind.
   * @returns The builder.
   * @throws {TypeError} If `of` is not a function.
   *
   * @example A ConfigMap that names another one
   * ```ts
   * import { Client, ConfigMaps, Manager, Secrets } from "@kubeloop/controller";
   * import { ApiServer, VirtualClock } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * const clock = new VirtualClock();
   * await using server = new ApiServer({ clock });
   * await using client = new Client(server.clientOptions);
   *
   * const manager = new Manager(client);
   * const seen: (string | undefined)[] = [];
   * manager.controller(ConfigMaps, { labelSelector: "app=web" })
   *   .references(Secrets, ({ data }) => [data?.["secret"]])
   *   .reconcile(({ object, namespace, cache }) => {
   *     const secret = cache(Secrets).get(object.data?.["secret"] ?? "", namespace);
   *     seen.push(secret?.data?.["key"]);
   *   });
   *
   * const stop = new AbortController();
   * const running = manager.run({ signal: stop.signal });
   * const web = { name: "web", namespace: "default", labels: { app: "web" } };
   * await clock.run(client.create(ConfigMaps, { metadata: web, data: { secret: "token" } }));
   * await clock.advance(1000);
   * const token = { name: "token", namespace: "default" };
   * await clock.run(client.create(Secrets, { metadata: token, data: { key: "MQ==" } }));
   * await clock.advance(1000);
   * assertEquals(seen, [undefined, "MQ=="]);
   * stop.abort();
   * await clock.run(running);
   * ```
   */
  references<R extends Resource>(
    resource: R,
    of: (object: Cached<T>) => Referenced,
    options: ReferencesOptions = {},
  ): this {
    this.#requireOpen();
    requireResource("references()", resource);
    requireOptions("references()", options, REFERENCES_CHECKS);
    if (typeof of !== "function") {
      throw new TypeError(
        `references() of ${resourceName(resource)} needs a function that returns the names, ` +
          "as in (object) => [object.spec.secret]",
      );
    }
    const at = this.#references.findIndex((one) => isAlike(one.resource, resource));
    const known = this.#references[at];
    const functions: readonly ReferencesOf<T>[] = [...known?.functions ?? [], of];
    const optional = options.optional === true && (known?.optional ?? true);
    if (at < 0) this.#references.push({ resource, functions, optional });
    else this.#references[at] = { resource, functions, optional };
    return this;
  }

  /**
   * Adds a source of keys outside of the cluster, such as a message queue. If the source throws, the manager stops. A source
   * may end without an error.
   *
   * @param name The name of the source in causes and errors.
   * @param keys The keys, names or objects to reconcile.
   * @returns The builder.
   * @throws {TypeError} If `keys` is not an async iterable.
   */
  triggeredBy(name: string, keys: AsyncIterable<KeyLike>): this {
    this.#requireOpen();
    if (typeof name !== "string" || name === "") {
      throw new TypeError("triggeredBy() needs a name, for causes and errors");
    }
    if (typeof keys?.[Symbol.asyncIterator] !== "function") {
      throw new TypeError(`triggeredBy("${name}") needs an async iterable of keys`);
    }
    this.#triggers.push({ name, keys });
    return this;
  }

  /**
   * Adds indices to the cache of the reconciled kind. A mapper finds the objects that refer to a changed object by `byIndex`.
   *
   * @param indexes The functions that return the index values of an object, by the name of the index.
   * @returns The builder.
   * @throws {Error} If an index exists already.
   */
  indexes(indexes: Readonly<Record<string, IndexFunc<Cached<T>>>>): this {
    this.#requireOpen();
    isObject("indexes()", indexes);
    requireFunctions(indexes);
    for (const [name, index] of Object.entries(indexes)) {
      if (Object.hasOwn(this.#indexes, name)) {
        throw new Error(`Index "${name}" of controller "${this.name}" exists already`);
      }
      this.#indexes[name] = index;
    }
    return this;
  }

  /**
   * Declares a finalizer. It is added to each object before its first `reconcile`, and so before any effect outside of the
   * cluster. When the object is being deleted, `cleanup` is called instead of `reconcile`. The finalizer is removed after
   * `cleanup` succeeds.
   *
   * Without a finalizer, an object that is being deleted is not reconciled.
   *
   * @param name The name, with a domain and a slash, such as `acme.io/bucket`.
   * @param steps The function that undoes the work, and optionally the function that does it.
   * @returns The builder.
   * @throws {TypeError} If the name has no domain, or `cleanup` is missing.
   */
  finalizer(name: string, steps: FinalizerSteps<T>): this {
    this.#requireOpen();
    requireFinalizerName(name);
    if (steps?.cleanup === undefined) throw new TypeError(`Finalizer "${name}" needs { cleanup }`);
    requireOptions("finalizer()", steps, FINALIZER_CHECKS);
    if (this.#finalizers.has(name)) throw new Error(`Finalizer "${name}" exists already`);
    this.#finalizers.set(name, steps);
    return this;
  }

  /**
   * Declares the rights for requests that `reconcile` makes with its `client`, so that `Manager.rbac` grants them. The rights
   * for `apply`, `status`, `event`, `prune` and finalizers need no declaration.
   *
   * @param resource The resource of the requests.
   * @param verbs The verbs, such as `get` or `create`.
   * @param subresource The subresource, such as `eviction`. Default: the objects themselves.
   * @returns The builder.
   */
  needs(resource: Resource, verbs: readonly string[], subresource?: string): this {
    this.#requireOpen();
    requireResource("needs()", resource);
    requireVerbs(verbs);
    requireSubresource(subresource);
    this.#requiredRights.push({ resource, verbs, subresource });
    return this;
  }

  /** Whether the controller has its reconcile function. */
  get isComplete(): boolean {
    return this.#reconcile !== undefined;
  }

  /**
   * Completes the declaration.
   *
   * @param reconcile Brings the observed state of one object to its desired state.
   * @returns The controller: `trigger` adds keys, `snapshot` returns its state.
   * @throws {TypeError} If `reconcile` is not a function.
   * @throws {Error} If the declaration is complete already.
   */
  reconcile(reconcile: ReconcileObject<T>): ControllerHandle {
    this.#requireOpen();
    if (typeof reconcile !== "function") {
      throw new TypeError(`reconcile() of controller "${this.name}" needs a function`);
    }
    this.#reconcile = reconcile;
    return this.#complete({
      name: this.name,
      fieldManager: this.#fieldManager,
      resource: this.#resource,
      options: this.#options,
      sources: this.#sources,
      references: this.#references,
      triggers: this.#triggers,
      finalizers: this.#finalizers,
      indexes: this.#indexes,
      requiredRights: this.#requiredRights,
      reconcile,
    });
  }

  #requireOpen(): void {
    if (this.#reconcile === undefined) return;
    throw new Error(
      `Controller "${this.name}" has its reconcile function already: declare everything before .reconcile()`,
    );
  }

  #addSource<U extends KubeObject>(
    source: OwnsOptions<U> & Partial<WatchesOptions<U>> & {
      readonly resource: Resource<U>;
      readonly how: SourcePlan["how"];
    },
  ): void {
    this.#requireOpen();
    const { resource, how, when = anyChange, map, optional, ...options } = source;
    const { namespaces, labelSelector, fieldSelector } = options;
    requireScope(source);
    this.#sources.push({
      how,
      resource,
      scope: { namespaces, labelSelector, fieldSelector, optional },
      when: when as Predicate,
      map: map as SourcePlan["map"],
    });
  }
}
