import { describeError, type Logger, redactOf, requireMethods, requireSync } from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import {
  apiVersionOf,
  type ApplyConfiguration,
  type Cached,
  controllerOf,
  isConflict,
  isNotFound,
  type KubeObject,
  type ObjectOf,
  type Resource,
  type ResourceDescriptor,
} from "../../types/mod.ts";
import type { AppliedMemory } from "./applied_memory.ts";
import { describeDiff, logDryRun } from "./describe_diff.ts";
import {
  type ApplyOwner,
  type DesiredObject,
  desiredObject,
  requireNotOthers,
} from "./desired_object.ts";
import type { Applier } from "./managed_fields.ts";

/** Options of {@linkcode ApplyPass}. */
export interface ApplyPassOptions {
  /** The client that makes the requests. */
  readonly client: Pick<Client, "apply" | "delete" | "list">;
  /** The field manager, which owns the applied fields. It must stay the same over restarts of the controller. */
  readonly fieldManager: string;
  /** The controller owner of the applied objects. Default: they get none, and nothing can be pruned. */
  readonly owner?: ApplyOwner | undefined;
  /** Returns an object from the cache; undefined if it is not there. Throws for a kind that is not cached. */
  lookup(
    resource: ResourceDescriptor,
    namespace: string | undefined,
    name: string,
  ): Cached<KubeObject> | undefined;
  /** Returns the objects of a kind in the cache whose controller owner is `owner`. */
  children(resource: ResourceDescriptor): readonly Cached<KubeObject>[];
  /** The memory of the controller. */
  readonly memory: AppliedMemory;
  /** Whether nothing is changed: differences are logged instead. Default false. */
  readonly dryRun?: boolean | undefined;
  /** The logger. */
  readonly logger: Logger;
  /** Stops the requests. */
  readonly signal: AbortSignal;
  /** Called for each write that was not needed. */
  onSkipped?(): void;
}

/** Options of {@linkcode ApplyPass.apply}. */
export interface ApplyCallOptions {
  /** Whether the object gets the controller owner. Default true. */
  readonly owner?: boolean | undefined;
  /**
   * Whether an object that exists already and that no owner controls is taken over. If not, the server is asked for an
   * object that the cache does not hold, before it is created. Default true.
   */
  readonly adopt?: boolean | undefined;
  /** Whether the object is not changed: the difference is logged instead. Default: that of the pass. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Applies the objects that one reconcile wants, and deletes those that it no longer wants.
 *
 * An object is compared with the cached one first, restricted to the fields that the field manager owns: if they are
 * equal, no request is made. Otherwise it is sent as a server-side apply with `force`. Fields that were applied before
 * and are not now go away, and those that others own stay.
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
  /** The objects of this pass, by kind, namespace and name. */
  readonly #applied = new Set<string>();
  /** The objects that this pass has written, which the cache may not show yet. */
  readonly #written = new Map<string, Cached<KubeObject>>();
  #underway = 0;
  #failure: { readonly error: unknown } | undefined;

  /**
   * Creates a pass. Make a new one for each reconcile.
   *
   * @throws {TypeError} If the field manager is missing, or a function of the options is.
   */
  constructor(options: ApplyPassOptions) {
    requireMethods("options of ApplyPass", options, "lookup", "children");
    requireFieldManager(options.fieldManager);
    this.#options = options;
  }

  /**
   * Applies an object, if its fields are not already as desired.
   *
   * `apiVersion`, `kind`, the controller owner, and the namespace of the owner are filled in. Fields that are null or
   * undefined are left out.
   *
   * @typeParam R The type of the resource.
   * @param resource The resource of the object.
   * @param object The name of the object, and the fields to set and own.
   * @param options Whether the object gets the owner, and whether it is changed.
   * @returns The object as in the cache if nothing was to be done, otherwise as stored by the server.
   * @throws {TypeError} If the object is invalid, or if the garbage collector would delete it because it is not in the
   * namespace of its owner.
   * @throws {NotOwnedError} If another owner controls the object, or nobody does and it must not be adopted.
   * @throws {StatusError} If the server refuses the request.
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
    const { owner, memory, logger } = this.#options;
    const owned = options.owner ?? true;
    const desired = desiredObject(resource, object, owner, owned);
    const key = keyOf(resource, desired.namespace, desired.name);
    this.#applied.add(key);
    const adopt = options.adopt ?? true;
    const cached = this.#written.get(key) ??
      requireSync(
        "lookup() of an ApplyPass",
        this.#options.lookup(resource, desired.namespace, desired.name),
      ) ??
      (adopt ? undefined : await this.#find(resource, desired));
    const applier = this.#applierOf(resource);
    if (cached !== undefined) {
      if (owned && owner !== undefined) {
        requireNotOthers(cached, owner, { resource, adopt, redact: redactOf(logger) });
      }
      memory.warnIfStripped(resource, cached, logger);
      if (memory.isApplied(desired.body, cached, applier)) {
        requireSync("onSkipped() of an ApplyPass", this.#options.onSkipped?.());
        return cached as Cached<U>;
      }
    }
    const dryRun = options.dryRun ?? this.#options.dryRun ?? false;
    const stored = await this.#send(resource, desired, dryRun);
    if (dryRun) this.#logDifference(resource, desired, cached, stored);
    else {
      memory.note(desired.body, cached, stored as Cached<KubeObject>, applier, resource);
      this.#written.set(key, stored as Cached<KubeObject>);
    }
    return stored;
  }

  /** Returns an object that the server has, and the cache may not show. A list needs no right that caches do not. */
  async #find(
    resource: ResourceDescriptor,
    { name, namespace }: DesiredObject,
  ): Promise<Cached<KubeObject> | undefined> {
    const { client, signal } = this.#options;
    const fieldSelector = `metadata.name=${name}`;
    const { items } = await client.list(resource, { namespace, fieldSelector, signal });
    return items[0] as Cached<KubeObject> | undefined;
  }

  #applierOf(resource: ResourceDescriptor): Applier {
    const { fieldManager } = this.#options;
    return { fieldManager, apiVersion: apiVersionOf(resource), subresource: "" };
  }

  async #send<U extends KubeObject>(
    resource: Resource<U>,
    { body }: DesiredObject,
    dryRun: boolean,
  ): Promise<Cached<U>> {
    const { client, fieldManager, signal } = this.#options;
    const configuration = body as ApplyConfiguration<KubeObject> as ApplyConfiguration<U>;
    return await client.apply<U>(resource, configuration, {
      fieldManager,
      force: true,
      dryRun,
      signal,
    }) as Cached<U>;
  }

  #logDifference(
    resource: ResourceDescriptor,
    { name, namespace }: DesiredObject,
    before: Cached<KubeObject> | undefined,
    after: Cached<KubeObject>,
  ): void {
    const difference = describeDiff(before, after);
    const verb = before === undefined ? "create" : "change";
    const what = `${resource.kind} ${placeOf(namespace, name)}`;
    if (difference !== "") logDryRun(this.#options.logger, `${verb} ${what}`, difference);
  }

  /**
   * Deletes the cached objects of these kinds whose controller owner is that of the pass, and which the pass has not
   * applied. Objects that are being deleted already are left alone. The deletion of each is bound to its UID, and
   * propagates in the background.
   *
   * Call this after a reconcile has succeeded. Nothing is deleted if an apply of the pass has failed or has not ended.
   *
   * @param resources The kinds of the objects.
   * @returns The objects that were deleted; in a dry run, those that would be.
   * @throws {Error} If the pass has no owner, an apply has failed, even if the error was caught, or one has not ended.
   * @throws {StatusError} If the server refuses a deletion. The objects before it are deleted.
   */
  async prune(resources: readonly ResourceDescriptor[]): Promise<readonly Cached<KubeObject>[]> {
    const { owner } = this.#options;
    if (owner === undefined) throw new Error("Cannot prune without an owner");
    this.#requireComplete();
    const deleted: Cached<KubeObject>[] = [];
    // All are chosen before the first is deleted: a kind that is not cached must not come up halfway.
    const chosen = resources.flatMap((resource) =>
      this.#unwanted(resource, owner).map((child) => ({ resource, child }))
    );
    for (const { resource, child } of chosen) {
      if (await this.#delete(resource, child)) deleted.push(child);
    }
    return deleted;
  }

  /**
   * Deletes an object, with its dependents in the background. The deletion is bound to the UID: a new object of the same
   * name stays. One that is gone, or is being deleted, is no error.
   *
   * @typeParam R The type of the resource.
   * @param resource The resource of the object.
   * @param object The object, as in the cache.
   * @throws {TypeError} If the object has no name or no UID.
   * @throws {StatusError} If the server refuses the deletion.
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

  /** Returns whether the object was there to be deleted. */
  async #delete(resource: ResourceDescriptor, child: Cached<KubeObject>): Promise<boolean> {
    const { client, dryRun = false, logger, signal } = this.#options;
    const { name, namespace, uid } = child.metadata;
    if (dryRun) {
      logger.info(`Dry run: would delete ${resource.kind} ${placeOf(namespace, name)}`);
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
      // It is gone, or another object has its name.
      if (isNotFound(error) || isConflict(error)) return false;
      throw error;
    }
  }
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

/** Returns a key that is the same in all versions of the kind. */
function keyOf(resource: ResourceDescriptor, namespace: string | undefined, name: string): string {
  return `${resource.group}/${resource.plural}/${namespace ?? ""}/${name}`;
}

function placeOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
