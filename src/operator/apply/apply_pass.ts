import {
  checkedElsewhere,
  describeError,
  ENVIRONMENT_CHECKS,
  hasMethods,
  isFlag,
  isFunction,
  isObject,
  isSignal,
  type Logger,
  type OptionChecks,
  redactOf,
  requireMethods,
  requireOptions,
  requireSync,
} from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import {
  apiVersionOf,
  type ApplyConfiguration,
  type Cached,
  controllerOf,
  isConflict,
  isNotFound,
  isReplaced,
  type KubeObject,
  type ObjectOf,
  type Resource,
  type ResourceDescriptor,
} from "../../types/mod.ts";
import { type AppliedMemory, type Applier, describeDiff, isStripped } from "../../fields/mod.ts";
import {
  type ApplyOwner,
  type Claim,
  type DesiredObject,
  desiredObject,
  requireNotOthers,
} from "./desired_object.ts";

/** The maximum number of attempts if other clients create, delete or replace the object at the same time. */
const MAX_TRIES = 3;

/** An apply that was not sent, because it would have changed nothing. */
export interface SkippedApply {
  /** The resource of the object. */
  readonly resource: ResourceDescriptor;
  /** The name of the object. */
  readonly name: string;
  /** The namespace of the object; undefined for a cluster-scoped one. */
  readonly namespace: string | undefined;
}

/** Options of {@linkcode ApplyPass}. */
export interface ApplyPassOptions {
  /** The client that makes the requests. */
  readonly client: Pick<Client, "apply" | "delete" | "list">;
  /** The field manager, which owns the applied fields. It must stay the same when the controller restarts. */
  readonly fieldManager: string;
  /** The controller owner of the applied objects. Default: none, and nothing can be pruned. */
  readonly owner?: ApplyOwner | undefined;
  /** Returns an object from the cache; undefined if there is none. Throws for a kind that is not cached. */
  lookup(
    resource: ResourceDescriptor,
    namespace: string | undefined,
    name: string,
  ): Cached<KubeObject> | undefined;
  /** Returns the cached objects of a kind whose controller owner is `owner`. */
  children(resource: ResourceDescriptor): readonly Cached<KubeObject>[];
  /** The memory of the controller. */
  readonly memory: AppliedMemory;
  /** Whether to log differences instead of changing objects. Default false. */
  readonly dryRun?: boolean | undefined;
  /** The logger. */
  readonly logger: Logger;
  /** Stops the requests. */
  readonly signal: AbortSignal;
  /** Called for each write that was skipped because it would change nothing. */
  onSkipped?(write: SkippedApply): void;
}

/** Options of {@linkcode ApplyPass.apply}. */
export interface ApplyCallOptions {
  /** Whether the object gets the controller owner. Default true. */
  readonly owner?: boolean | undefined;
  /**
   * Whether to take over an existing object that has no controller owner and that the field manager has not applied. If false,
   * an object that the cache lacks is looked up on the server before it is created. Default: false, or true for an object
   * that gets no owner.
   */
  readonly adopt?: boolean | undefined;
  /** Whether to log the difference instead of changing the object. Default: `dryRun` of the pass. */
  readonly dryRun?: boolean | undefined;
}

const CHECKS: OptionChecks<ApplyPassOptions> = {
  client: hasMethods("a client that applies", "apply", "delete", "list"),
  // Required, so the constructor also checks that it is set.
  fieldManager: checkedElsewhere,
  owner: isObject,
  lookup: isFunction,
  children: isFunction,
  memory: hasMethods("an AppliedMemory", "isApplied", "note"),
  dryRun: isFlag,
  logger: ENVIRONMENT_CHECKS.logger,
  signal: isSignal,
  onSkipped: isFunction,
};

const CALL_CHECKS: OptionChecks<ApplyCallOptions> = {
  owner: isFlag,
  adopt: isFlag,
  dryRun: isFlag,
};

/**
 * Applies the desired objects of one reconcile, and deletes objects that are no longer desired.
 *
 * Each object is first compared with the cached one, restricted to the fields that the field manager owns: if they are
 * equal, no request is made. Otherwise it is sent as a server-side apply with `force`. The server removes fields that were
 * applied before and are missing now, and keeps the fields of other managers. An existing object that neither belongs to the
 * owner nor was applied before is not changed.
 *
 * @example
 * ```ts
 * import { AppliedMemory, ApplyPass } from "@kubeloop/controller/operator";
 * import { Client } from "@kubeloop/controller/client";
 * import { type Cached, type ConfigMap, ConfigMaps } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client({ fetch: server.fetch });
 * const cache = new Map<string, Cached<ConfigMap>>();
 * let skipped = 0;
 * const pass = new ApplyPass({
 *   client,
 *   fieldManager: "painter",
 *   lookup: (_resource, _namespace, name) => cache.get(name),
 *   children: () => [],
 *   memory: new AppliedMemory(),
 *   logger: console,
 *   signal: AbortSignal.timeout(10_000),
 *   onSkipped: () => void skipped++,
 * });
 * const colors = { metadata: { name: "colors", namespace: "default" }, data: { wall: "red" } };
 * cache.set("colors", await pass.apply(ConfigMaps, colors));
 * await pass.apply(ConfigMaps, colors);
 * assertEquals(skipped, 1);
 * ```
 */
export class ApplyPass {
  readonly #options: ApplyPassOptions;
  /** The keys of the objects that this pass has applied. */
  readonly #applied = new Set<string>();
  /** The objects that this pass has written, by key, because the cache may not have them yet. */
  readonly #written = new Map<string, Cached<KubeObject>>();
  #underway = 0;
  #failure: { readonly error: unknown } | undefined;

  /**
   * Creates a pass. Make a new one for each reconcile.
   *
   * @throws {TypeError} If the field manager is missing, or another option is missing, unknown or of another type.
   */
  constructor(options: ApplyPassOptions) {
    requireMethods("options of ApplyPass", options, "lookup", "children");
    requireOptions("ApplyPass", options, CHECKS);
    requireFieldManager(options.fieldManager);
    this.#options = options;
  }

  /**
   * Applies an object, unless its fields are already as desired.
   *
   * `apiVersion`, `kind`, the controller owner, and the namespace of the owner are filled in. Fields that are null or
   * undefined are omitted.
   *
   * @typeParam R The type of the resource.
   * @param resource The resource of the object.
   * @param object The name of the object, and the fields to set and own.
   * @param options Whether the object gets the owner, and whether it is changed.
   * @returns The cached object if no request was needed; otherwise the object in the response.
   * @throws {TypeError} If the object is invalid, or if the garbage collector would delete it because it is not in the
   * namespace of its owner.
   * @throws {NotOwnedError} If another owner controls the object; or, unless `adopt` is true, if the object exists, has no
   * controller owner, and the field manager has not applied it.
   * @throws {StatusError} If the server rejects the request.
   */
  apply<R extends Resource>(
    resource: R,
    object: ApplyConfiguration<ObjectOf<R>>,
    options?: ApplyCallOptions,
  ): Promise<Cached<ObjectOf<R>>>;
  async apply<U extends KubeObject>(
    resource: Resource<U>,
    object: ApplyConfiguration<NoInfer<U>>,
    options: ApplyCallOptions = {},
  ): Promise<Cached<U>> {
    this.#underway++;
    try {
      requireOptions("apply()", options, CALL_CHECKS);
      return await this.#apply(resource, object, options);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.#underway--;
    }
  }

  async #apply<U extends KubeObject>(
    resource: Resource<U>,
    object: ApplyConfiguration<NoInfer<U>>,
    options: ApplyCallOptions,
  ): Promise<Cached<U>> {
    const { owner } = this.#options;
    const desired = desiredObject(resource, object, owner, options.owner ?? true);
    const key = keyOf(resource, desired.namespace, desired.name);
    this.#applied.add(key);
    const isOwned = owner !== undefined && (options.owner ?? true);
    const claim: Claim = {
      owner: isOwned ? owner : undefined,
      adopt: options.adopt ?? !isOwned,
      fieldManager: this.#options.fieldManager,
      redact: redactOf(this.#options.logger),
    };
    const dryRun = options.dryRun ?? this.#options.dryRun ?? false;
    let found = this.#written.get(key) ??
      requireSync(
        "lookup() of an ApplyPass",
        this.#options.lookup(resource, desired.namespace, desired.name),
      );
    if (!claim.adopt && (found === undefined || isUnclear(found))) {
      found = await this.#find(resource, desired);
    }
    for (let tries = 1;; tries++) {
      try {
        return await this.#applyTo(found, resource, desired, claim, dryRun) as Cached<U>;
      } catch (error) {
        // The object was created, deleted or replaced since the cache was updated.
        const isChanged = isConflict(error) || isReplaced(error);
        if (!isChanged || claim.adopt || tries === MAX_TRIES) throw error;
        found = await this.#find(resource, desired);
      }
    }
  }

  /** Applies an object, if the existing one may be changed and is not as desired. */
  async #applyTo(
    found: Cached<KubeObject> | undefined,
    resource: ResourceDescriptor,
    desired: DesiredObject,
    claim: Claim,
    dryRun: boolean,
  ): Promise<Cached<KubeObject>> {
    const { memory, logger } = this.#options;
    const applier = this.#applierOf(resource);
    if (found !== undefined) {
      requireNotOthers(found, resource, claim);
      memory.warnIfStripped(resource, found, logger);
      if (memory.isApplied(desired.body, found, applier)) {
        requireSync(
          "onSkipped() of an ApplyPass",
          this.#options.onSkipped?.({
            resource,
            name: desired.name,
            namespace: desired.namespace,
          }),
        );
        return found;
      }
    }
    const stored = await this.#send(resource, desired, claim.adopt ? "any" : found, dryRun);
    if (dryRun) this.#logDifference(resource, found, stored);
    else {
      memory.note(desired.body, found, stored, applier, resource);
      this.#written.set(keyOf(resource, desired.namespace, desired.name), stored);
    }
    return stored;
  }

  /** Reads an object from the server. It lists, because a controller that has a cache has the right to list. */
  async #find(
    resource: ResourceDescriptor,
    { name, namespace }: DesiredObject,
  ): Promise<Cached<KubeObject> | undefined> {
    const { client, signal } = this.#options;
    const fieldSelector = `metadata.name=${name}`;
    const { items } = await client.list(resource, { namespace, fieldSelector, signal });
    return items.find((item) => item.metadata.name === name) as Cached<KubeObject> | undefined;
  }

  #applierOf(resource: ResourceDescriptor): Applier {
    const { fieldManager } = this.#options;
    return { fieldManager, apiVersion: apiVersionOf(resource), subresource: "" };
  }

  /**
   * Sends an object.
   *
   * @param target The object to change; undefined to create it, or fail if it exists; "any" to create it or take it over.
   */
  async #send(
    resource: ResourceDescriptor,
    { body }: DesiredObject,
    target: Cached<KubeObject> | undefined | "any",
    dryRun: boolean,
  ): Promise<Cached<KubeObject>> {
    const { client, fieldManager, signal } = this.#options;
    // The server rejects the UID of another object. A new object has no other managers, so an apply without force fails if the
    // object exists.
    const uid = target === "any" ? undefined : target?.metadata.uid;
    const { metadata } = body as unknown as KubeObject;
    const configuration = uid === undefined ? body : { ...body, metadata: { ...metadata, uid } };
    return await client.apply<KubeObject>(
      resource,
      configuration as unknown as ApplyConfiguration<KubeObject>,
      { fieldManager, force: target !== undefined, dryRun, signal },
    ) as Cached<KubeObject>;
  }

  #logDifference(
    resource: ResourceDescriptor,
    before: Cached<KubeObject> | undefined,
    after: Cached<KubeObject>,
  ): void {
    const difference = describeDiff(before, after);
    const verb = before === undefined ? "create" : "change";
    if (difference !== "") {
      logDryRun(this.#options.logger, verb, resource, after.metadata, difference);
    }
  }

  /**
   * Deletes the cached objects of these kinds that the owner controls and that this pass has not applied. Objects that are
   * already being deleted are skipped. Each deletion names the UID of its object, and propagates in the background.
   *
   * Call this after the reconcile has succeeded. Nothing is deleted if an apply of the pass has failed or is still running.
   *
   * @param resources The kinds of the objects.
   * @returns The deleted objects; in a dry run, the objects that would be deleted.
   * @throws {Error} If the pass has no owner, or an apply has failed (even if the error was caught) or is still running.
   * @throws {StatusError} If the server rejects a deletion. The earlier objects have been deleted then.
   */
  async prune(resources: readonly ResourceDescriptor[]): Promise<readonly Cached<KubeObject>[]> {
    const { owner } = this.#options;
    if (owner === undefined) throw new Error("Cannot prune without an owner");
    this.#requireComplete();
    const deleted: Cached<KubeObject>[] = [];
    // Choose all objects first: for a kind that is not cached, this throws before anything is deleted.
    const chosen = resources.flatMap((resource) =>
      this.#unwanted(resource, owner).map((child) => ({ resource, child }))
    );
    for (const { resource, child } of chosen) {
      if (await this.#delete(resource, child)) deleted.push(child);
    }
    return deleted;
  }

  /**
   * Deletes an object, and its dependents in the background. The deletion names the UID, so that a new object of the same
   * name is kept. It is not an error if the object is gone or being deleted.
   *
   * @typeParam R The type of the resource.
   * @param resource The resource of the object.
   * @param object The object, as in the cache.
   * @throws {TypeError} If the object has no name or no UID.
   * @throws {StatusError} If the server rejects the deletion.
   */
  remove<R extends Resource>(resource: R, object: Cached<ObjectOf<R>>): Promise<void>;
  async remove<U extends KubeObject>(resource: Resource<U>, object: Cached<U>): Promise<void> {
    const { name, uid, deletionTimestamp } = object?.metadata ?? {};
    if (!name || !uid) {
      throw new TypeError(
        `Cannot delete a ${resource.kind} without a name and a UID: pass an object of the cache`,
      );
    }
    if (deletionTimestamp === undefined) await this.#delete(resource, object as Cached<KubeObject>);
  }

  #requireComplete(): void {
    if (this.#failure !== undefined) {
      throw new Error(
        `Cannot prune after an apply that failed (${describeError(this.#failure.error)}): ` +
          "what it wanted would be deleted. Let the reconcile throw",
        { cause: this.#failure.error },
      );
    }
    if (this.#underway > 0) {
      throw new Error(
        `Cannot prune while ${this.#underway} calls of apply() have not ended: await them all`,
      );
    }
  }

  #unwanted(resource: ResourceDescriptor, owner: ApplyOwner): Cached<KubeObject>[] {
    const children = requireSync("children() of an ApplyPass", this.#options.children(resource));
    return children.filter((child) =>
      child.metadata.deletionTimestamp === undefined &&
      controllerOf(child)?.uid === owner.object.metadata.uid &&
      !this.#applied.has(keyOf(resource, child.metadata.namespace, child.metadata.name))
    );
  }

  /** Returns true if the object existed. */
  async #delete(resource: ResourceDescriptor, child: Cached<KubeObject>): Promise<boolean> {
    const { client, dryRun = false, logger, signal } = this.#options;
    const { name, namespace, uid } = child.metadata;
    if (dryRun) {
      logDryRun(logger, "delete", resource, child.metadata);
      return true;
    }
    try {
      await client.delete(resource, name, {
        namespace,
        preconditions: { uid },
        propagationPolicy: "Background",
        signal,
      });
      return true;
    } catch (error) {
      // The object is gone, or another one has its name.
      if (isNotFound(error) || isConflict(error)) return false;
      throw error;
    }
  }
}

/** Reports whether the metadata of an object does not tell who may change it. */
function isUnclear(object: Cached<KubeObject>): boolean {
  return controllerOf(object) === undefined && isStripped(object);
}

/**
 * Checks the name of a field manager.
 *
 * @throws {TypeError} If it is not a string of 1 to 128 characters.
 */
export function requireFieldManager(name: unknown): void {
  if (typeof name === "string" && name !== "" && name.length <= 128) return;
  throw new TypeError(
    `fieldManager must be a string of 1 to 128 characters: received ${JSON.stringify(name)}`,
  );
}

/** Logs a change of a dry run, with one message for each line of the difference, because loggers write a message on one line. */
export function logDryRun(
  logger: Logger,
  change: string,
  { kind }: ResourceDescriptor,
  { name, namespace }: { readonly name?: string; readonly namespace?: string },
  difference?: string,
): void {
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  logger.info(`Dry run: would ${change} ${kind} ${place}`);
  for (const line of difference?.split("\n") ?? []) logger.info(line);
}

/** Returns a key of an object that is the same for all versions of its kind. */
function keyOf(resource: ResourceDescriptor, namespace: string | undefined, name: string): string {
  return `${resource.group}/${resource.plural}/${namespace ?? ""}/${name}`;
}
