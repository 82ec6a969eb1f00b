import { type Clock, type Logger, onAbort, type Random } from "@kubeloop/controller/internal/base";
import type { SharedInformer } from "@kubeloop/controller/cache";
import { type Client, retryOnConflict } from "@kubeloop/controller/client";
import { Controller } from "@kubeloop/controller/controller";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  type DeepReadonly,
  isNotFound,
  type KubeObject,
  type OwnerReference,
  resourceName,
} from "@kubeloop/controller/types";
import type { ServedResource } from "./control/mod.ts";
import {
  awaitsDependents,
  awaitsOrphaning,
  blocks,
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  type OwnedObject,
  ownedObject,
  OwnerGraph,
} from "./owner_graph.ts";
import { ResourceMonitors } from "./resource_monitors.ts";
import {
  type Actor,
  actorInformers,
  type ActorOptions,
  actorRetries,
  environmentOf,
  unlessNotFound,
} from "./control/mod.ts";

/** The number of objects that are processed concurrently. */
const WORKERS = 4;
/** The number of owners that are remembered as absent, as in the garbage collector of kube-controller-manager. */
const MAX_ABSENT = 500;
/** The prefix of queue keys that are uids. The other keys are names of CustomResourceDefinitions, without a slash. */
const UID = "uid/";

type DeletionPolicy = "Background" | "Foreground" | "Orphan";

/** The owner references of an object, by the state of the owner. */
interface Owners {
  /** Owners that exist. */
  readonly solid: OwnerReference[];
  /** Owners that are gone. */
  readonly dangling: OwnerReference[];
  /** Owners in foreground deletion, which wait for their dependents. */
  readonly waiting: OwnerReference[];
}

/**
 * Deletes the dependents of deleted owners, as the garbage collector of kube-controller-manager does. It follows the
 * owner references of all objects, including custom resources, whose definitions may be added and removed at any time.
 *
 * - Background: once the owner is gone, its dependents are deleted. An owner also counts as gone if the object of that
 *   name has another uid or is in another namespace.
 * - Foreground: the dependents are deleted first. The finalizer `foregroundDeletion` is removed from the owner once no
 *   dependent with `blockOwnerDeletion` is left.
 * - Orphan: the owner reference is removed from the dependents, then the finalizer `orphan` is removed from the owner.
 *
 * An object with another owner that exists loses only the reference. Before the garbage collector deletes an object, it
 * reads the object and its owners from the API server, except for owners whose deletion it has seen. While the kind of
 * an owner is not served, the object stays.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer, GarbageCollector, VirtualClock } from "@kubeloop/testing";
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * const stop = new AbortController();
 * const running = new GarbageCollector({ client }).run({ signal: stop.signal });
 *
 * const call = { namespace: "default" };
 * const { metadata } = await client.create(ConfigMaps, { metadata: { name: "owner" } }, call);
 * const ownerReferences = [
 *   { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: metadata.uid ?? "" },
 * ];
 * await client.create(ConfigMaps, { metadata: { name: "owned", ownerReferences } }, call);
 * await client.delete(ConfigMaps, "owner", call);
 * await clock.advance(1000);
 * assertEquals(server.objects(ConfigMaps, "default"), []);
 *
 * stop.abort();
 * await running;
 * ```
 */
export class GarbageCollector implements Actor {
  /** `garbage-collector` */
  readonly name: string = "garbage-collector";
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #definitions: SharedInformer<CustomResourceDefinition>;
  readonly #controller: Controller;
  readonly #monitors: ResourceMonitors;
  readonly #graph = new OwnerGraph();
  /** The names of all CustomResourceDefinitions that exist or have existed. */
  readonly #definitionNames = new Set<string>();
  /** Owners whose deletion was observed, oldest first. They cannot be looked up once their kind is gone as well. */
  readonly #absent = new Set<string>();
  /** The uids of objects that wait until all resources have synced, or until the kind of an owner is served. */
  readonly #postponed = new Set<string>();

  /** Creates a garbage collector, which does nothing until {@linkcode GarbageCollector.run} is called. */
  constructor(options: ActorOptions) {
    const { client } = options;
    const { clock, random, logger } = environmentOf(options, this.name);
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#logger = logger;
    this.#monitors = new ResourceMonitors({
      client,
      clock,
      random,
      logger,
      keep: metadataOnly,
      changed: (resource, object) => this.#changed(ownedObject(resource, object)),
      gone: (_resource, { metadata }) => this.#gone(metadata.uid ?? ""),
      dropped: (resource) => this.#dropped(resource),
      synced: () => this.#resume(),
    });
    const informers = actorInformers(client, { clock, random, logger });
    this.#definitions = informers.informer(CustomResourceDefinitions);
    this.#controller = new Controller({
      ...actorRetries(),
      informer: this.#definitions,
      clock,
      logger,
      reconcile: (key, { signal }) =>
        key.startsWith(UID) ? this.#collect(key.slice(UID.length), signal) : this.#refresh(key),
    });
  }

  /** Runs the garbage collector until `signal` aborts. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    // If there is no CustomResourceDefinition, nothing else starts the monitors.
    this.#controller.enqueue("");
    const release = onAbort(signal, () => void this.#monitors.stop());
    try {
      await this.#controller.run({ workers: WORKERS, signal });
    } finally {
      release();
      await this.#monitors.stop();
    }
  }

  #enqueue(uid: string): void {
    this.#controller.enqueue(UID + uid);
  }

  #changed(object: OwnedObject): void {
    const previous = this.#graph.set(object);
    for (const { uid } of previous?.owners ?? []) {
      if (!blocks(object, uid)) this.#enqueueIfWaiting(uid);
    }
    if (awaitsOrphaning(object)) this.#enqueue(object.uid);
    if (awaitsDependents(object)) {
      this.#enqueue(object.uid);
      for (const { uid } of this.#graph.dependents(object.uid)) this.#enqueue(uid);
    }
    const isDoubtful = object.owners.some((reference) => {
      if (!this.#graph.knowsOwner(object, reference)) return true;
      return awaitsDependents(this.#graph.get(reference.uid)!);
    });
    if (isDoubtful) this.#enqueue(object.uid);
  }

  #gone(uid: string): void {
    const object = this.#graph.delete(uid);
    if (object === undefined) return;
    const dependents = this.#graph.dependents(uid);
    if (dependents.length > 0) this.#noteAbsent(absentKey(object.namespace, uid));
    for (const dependent of dependents) this.#enqueue(dependent.uid);
    for (const owner of object.owners) this.#enqueueIfWaiting(owner.uid);
  }

  async #refresh(definition: string): Promise<void> {
    this.#definitionNames.add(definition);
    await this.#monitors.refresh();
  }

  #dropped(resource: ServedResource): void {
    const name = resourceName(resource);
    const definition = this.#definitions.indexer.getByKey(name);
    const isDefined = definition !== undefined &&
      definition.metadata.deletionTimestamp === undefined;
    // A deleted definition takes its objects with it. If the definition has only changed, they still exist.
    const areGone = this.#definitionNames.has(name) && !isDefined;
    for (const { uid } of this.#graph.ofResource(resource)) {
      if (areGone) this.#gone(uid);
      else this.#graph.delete(uid);
    }
  }

  #enqueueIfWaiting(uid: string): void {
    const owner = this.#graph.get(uid);
    if (owner !== undefined && awaitsDependents(owner)) this.#enqueue(uid);
  }

  #noteAbsent(key: string): void {
    this.#absent.add(key);
    if (this.#absent.size <= MAX_ABSENT) return;
    for (const oldest of this.#absent) {
      this.#absent.delete(oldest);
      return;
    }
  }

  #resume(): void {
    for (const uid of this.#postponed) this.#enqueue(uid);
    this.#postponed.clear();
  }

  async #collect(uid: string, signal: AbortSignal): Promise<void> {
    const object = this.#graph.get(uid);
    if (object === undefined) return;
    if (!this.#monitors.hasSynced()) {
      this.#postponed.add(uid);
      return;
    }
    const [clock, random] = [this.#clock, this.#random];
    await retryOnConflict(async () => {
      if (awaitsOrphaning(object)) await this.#orphanDependents(object, signal);
      else if (awaitsDependents(object)) await this.#awaitDependents(object, signal);
      else if (!object.isBeingDeleted) await this.#judge(object, signal);
    }, { clock, random, signal });
  }

  /** Deletes the object if none of its owners is to stay; otherwise keeps only the references to owners that stay. */
  async #judge(object: OwnedObject, signal: AbortSignal): Promise<void> {
    const latest = await this.#read(object, signal);
    if (latest === undefined || latest.metadata.deletionTimestamp !== undefined) return;
    const { finalizers = [], ownerReferences = [] } = latest.metadata;
    if (ownerReferences.length === 0) return;
    const owners = await this.#classify(object, ownerReferences, signal);
    if (owners === undefined) {
      this.#postponed.add(object.uid);
      return;
    }
    const { solid, dangling, waiting } = owners;
    const dependents = this.#graph.dependents(object.uid);
    if (solid.length > 0) {
      if (dangling.length === 0 && waiting.length === 0) return;
      await this.#patchOwners(object, latest, solid, signal);
    } else if (waiting.length > 0 && dependents.length > 0) {
      if (dependents.some(awaitsDependents)) {
        // A dependent is in foreground deletion too, so the owner references may form a cycle. To break the cycle, the
        // object stops blocking its owners.
        const unblocked = ownerReferences.map((one) => ({ ...one, blockOwnerDeletion: false }));
        await this.#patchOwners(object, latest, unblocked, signal);
      }
      await this.#delete(object, undefined, "Foreground", signal);
    } else {
      const policy: DeletionPolicy = finalizers.includes(ORPHAN_FINALIZER)
        ? "Orphan"
        : finalizers.includes(FOREGROUND_FINALIZER)
        ? "Foreground"
        : "Background";
      await this.#delete(object, latest.metadata.resourceVersion, policy, signal);
    }
  }

  /** Sorts the references by the state of their owners; undefined if the kind of an owner is not served. */
  async #classify(
    object: OwnedObject,
    references: readonly OwnerReference[],
    signal: AbortSignal,
  ): Promise<Owners | undefined> {
    const owners: Owners = { solid: [], dangling: [], waiting: [] };
    for (const reference of references) {
      const namespaces = ["", object.namespace];
      if (namespaces.some((one) => this.#absent.has(absentKey(one, reference.uid)))) {
        owners.dangling.push(reference);
        continue;
      }
      const resource = this.#monitors.find(reference);
      if (resource === undefined) return undefined;
      if (resource.namespaced && object.namespace === "") {
        // The owner is namespaced, but a cluster-scoped object cannot name its namespace. The object
        // stays, because its owner cannot be looked up.
        owners.solid.push(reference);
        continue;
      }
      const { name, uid } = reference;
      const namespace = resource.namespaced ? object.namespace : "";
      const owner = await this.#read({ resource, namespace, name, uid }, signal);
      if (owner === undefined) owners.dangling.push(reference);
      else if (awaitsDependents(ownedObject(resource, owner))) owners.waiting.push(reference);
      else owners.solid.push(reference);
    }
    return owners;
  }

  async #orphanDependents(owner: OwnedObject, signal: AbortSignal): Promise<void> {
    for (const dependent of this.#graph.dependents(owner.uid)) {
      const latest = await this.#read(dependent, signal);
      const references = latest?.metadata.ownerReferences ?? [];
      const others = references.filter(({ uid }) => uid !== owner.uid);
      if (latest === undefined || others.length === references.length) continue;
      await this.#patchOwners(dependent, latest, others, signal);
    }
    await this.#removeFinalizer(owner, ORPHAN_FINALIZER, signal);
  }

  async #awaitDependents(owner: OwnedObject, signal: AbortSignal): Promise<void> {
    const blocking = this.#graph.dependents(owner.uid).filter((one) => blocks(one, owner.uid));
    if (blocking.length === 0) await this.#removeFinalizer(owner, FOREGROUND_FINALIZER, signal);
  }

  /** Reads the object from the API server; undefined if it is gone, even if another object has its name now. */
  async #read(
    { namespace, name, resource, uid }: Pick<
      OwnedObject,
      "namespace" | "name" | "resource" | "uid"
    >,
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    try {
      const object = await this.#client.get(resource, name, { ...inNamespace(namespace), signal });
      return object.metadata.uid === uid ? object : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #delete(
    { namespace, name, resource, uid }: OwnedObject,
    resourceVersion: string | undefined,
    propagationPolicy: DeletionPolicy,
    signal: AbortSignal,
  ): Promise<void> {
    this.#logger.debug(`Deleting ${resourceName(resource)} ${namespace}/${name}: nobody owns it`);
    await this.#client.delete(resource, name, {
      ...inNamespace(namespace),
      propagationPolicy,
      preconditions: { uid, resourceVersion },
      signal,
    }).catch(unlessNotFound);
  }

  async #patchOwners(
    object: OwnedObject,
    latest: DeepReadonly<KubeObject>,
    ownerReferences: readonly OwnerReference[],
    signal: AbortSignal,
  ): Promise<void> {
    await this.#patch(object, { ...versionOf(latest), ownerReferences }, signal);
  }

  async #removeFinalizer(object: OwnedObject, finalizer: string, signal: AbortSignal) {
    const latest = await this.#read(object, signal);
    const present = latest?.metadata.finalizers ?? [];
    if (latest === undefined || !present.includes(finalizer)) return;
    const finalizers = present.filter((one) => one !== finalizer);
    await this.#patch(object, { ...versionOf(latest), finalizers }, signal);
  }

  async #patch({ name, namespace, resource }: OwnedObject, metadata: object, signal: AbortSignal) {
    const call = { ...inNamespace(namespace), signal };
    await this.#client.patch(resource, name, { metadata }, call).catch(unlessNotFound);
  }
}

function metadataOnly({ metadata }: KubeObject): KubeObject {
  const { managedFields: _, annotations: __, labels: ___, ...rest } = metadata;
  return { metadata: rest };
}

/** Includes the namespace, because an owner is absent only for objects that it could own. */
function absentKey(namespace: string, uid: string): string {
  return `${namespace}/${uid}`;
}

/** Makes the API server answer Conflict if the object has changed since it was read. */
function versionOf(
  { metadata }: DeepReadonly<KubeObject>,
): { resourceVersion: string | undefined } {
  return { resourceVersion: metadata.resourceVersion };
}

function inNamespace(namespace: string): { namespace?: string } {
  return namespace === "" ? {} : { namespace };
}
