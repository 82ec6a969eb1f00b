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

/** How often an apply is tried on an object that others create, delete or replace at the same time. */
const MAX_TRIES = 3;

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
   * Whether an object that exists already is taken over, although no owner controls it and the field manager has not applied
   * it. If not, the server is asked for an object that the cache does not hold, before it is created. Default: false, and
   * true for an object that gets no owner.
   */
  readonly adopt?: boolean | undefined;
  /** Whether the object is not changed: the difference is logged instead. Default: that of the pass. */
  readonly dryRun?: boolean | undefined;
}

const CHECKS: OptionChecks<ApplyPassOptions> = {
  client: hasMethods("a client that applies", "apply", "delete", "list"),
  // It is needed, so it is checked also if it is undefined.
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
 * Applies the objects that one reconcile wants, and deletes those that it no longer wants.
 *
 * An object is compared with the cached one first, restricted to the fields that the field manager owns: if they are
 * equal, no request is made. Otherwise it is sent as a server-side apply with `force`. Fields that were applied before
 * and are not now go away, and those that others own stay. An object that exists already, and neither belongs to the owner
 * nor was applied before, is not touched.
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
   * @throws {TypeError} If the field manager is missing, or another option is missing, unknown or of another type.
   */
  constructor(options: ApplyPassOptions) {
    requireMethods("options of ApplyPass", options, "lookup", "children");
    requireOptions("ApplyPass", options, CHECKS);
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
   * @throws {NotOwnedError} If another owner controls the object; or if it exists already, no owner controls it, and the
   * field manager has not applied it, unless `adopt` is true.
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
        // The object was created, deleted or replaced since the cache has seen it.
        const isChanged = isConflict(error) || isReplaced(error);
        if (!isChanged || claim.adopt || tries === MAX_TRIES) throw error;
        found = await this.#find(resource, desired);
      }
    }
  }

  /** Applies an object to the one that was found, if it may be changed and is not as desired. */
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
        requireSync("onSkipped() of an ApplyPass", this.#options.onSkipped?.());
        return found;
      }
    }
    const stored = await this.#send(resource, desired, claim.adopt ? "any" : found, dryRun);
    if (dryRun) this.#logDifference(resource, desired, found, stored);
    else {
      memory.note(desired.body, found, stored, applier, resource);
      this.#written.set(keyOf(resource, desired.namespace, desired.name), stored);
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
    return items.find((item) => item.metadata.name === name) as Cached<KubeObject> | undefined;
  }

  #applierOf(resource: ResourceDescriptor): Applier {
    const { fieldManager } = this.#options;
    return { fieldManager, apiVersion: apiVersionOf(resource), subresource: "" };
  }

  /**
   * Sends an object.
   *
   * @param target The object that is changed; undefined if it must not exist. With "any", one that exists is taken over.
   */
  async #send(
    resource: ResourceDescriptor,
    { body }: DesiredObject,
    target: Cached<KubeObject> | undefined | "any",
    dryRun: boolean,
  ): Promise<Cached<KubeObject>> {
    const { client, fieldManager, signal } = this.#options;
    // The server refuses the UID of another object. It has no test that there is none, but nobody can own fields of it then.
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

/** Reports whether an object does not show who may change it. */
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

/** Logs what a dry run would do, with a line for each line of the difference: a logger shows a message on one line. */
export function logDryRun(logger: Logger, what: string, difference: string): void {
  for (const line of [`Dry run: would ${what}`, ...difference.split("\n")]) logger.info(line);
}

/** Returns a key that is the same in all versions of the kind. */
function keyOf(resource: ResourceDescriptor, namespace: string | undefined, name: string): string {
  return `${resource.group}/${resource.plural}/${namespace ?? ""}/${name}`;
}

function placeOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
