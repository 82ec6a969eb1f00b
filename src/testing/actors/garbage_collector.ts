import {
  type Clock,
  defaultLogger,
  type Logger,
  onAbort,
  type Random,
  realClock,
  realRandom,
} from "@kubeloop/controller/base";
import { type SharedInformer, SharedInformerFactory } from "@kubeloop/controller/cache";
import { type Client, retryOnConflict } from "@kubeloop/controller/client";
import { Controller } from "@kubeloop/controller/controller";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  isNotFound,
  type KubeObject,
  type OwnerReference,
  resourceName,
} from "@kubeloop/controller/types";
import type { ServedResource } from "./discovery.ts";
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
import { actorRetries } from "./retries.ts";
import type { Actor, ActorOptions } from "./actor.ts";

/** How many objects are looked at once. */
const WORKERS = 4;
/** How many owners are remembered to be gone: client-go's controller manager remembers as many. */
const MAX_ABSENT = 500;
/** Tells the uids on the queue from the names of CustomResourceDefinitions, which have no slash. */
const UID = "uid/";

type DeletionPolicy = "Background" | "Foreground" | "Orphan";

/** What the owners of an object have come to. */
interface Owners {
  readonly solid: OwnerReference[];
  readonly dangling: OwnerReference[];
  /** Those that wait for what they own, in a foreground deletion. */
  readonly waiting: OwnerReference[];
}

/**
 * Deletes what nobody owns any more, as the garbage collector of kube-controller-manager does: by the owner references of
 * all objects, those of custom resources included, whose definitions may come and go.
 *
 * - Background: the owner is gone, so what it owned is deleted. A reference whose uid does not fit is to an owner that is
 *   gone; so is one to an object of another namespace.
 * - Foreground: what the owner owns is deleted first, then the finalizer `foregroundDeletion` is taken off the owner, once
 *   nothing is left that sets `blockOwnerDeletion`.
 * - Orphan: the reference is taken off what the owner owns, then the finalizer `orphan` off the owner.
 *
 * An object with another owner that exists loses only the reference. Nothing is deleted on hearsay: the API server is
 * asked for the owner before. An owner of an unknown kind is taken to exist.
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
 * await using client = new Client({ fetch: server.fetch, clock });
 * const stop = new AbortController();
 * const running = new GarbageCollector({ client, clock }).run({ signal: stop.signal });
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
  readonly #controller: Controller<CustomResourceDefinition>;
  readonly #monitors: ResourceMonitors;
  readonly #graph = new OwnerGraph();
  /** The names of the definitions there are or have been. */
  readonly #definitionNames = new Set<string>();
  /** Owners that have been seen to go, oldest first: their kind may be gone with them. */
  readonly #absent = new Set<string>();
  /** What cannot be decided before more is known: by uid. */
  readonly #postponed = new Set<string>();

  /** A garbage collector that does nothing until it is run. */
  constructor(options: ActorOptions) {
    const { client, clock = realClock, random = realRandom, logger = defaultLogger } = options;
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#logger = logger;
    this.#monitors = new ResourceMonitors({
      client,
      clock,
      random,
      logger,
      changed: (resource, object) => this.#changed(ownedObject(resource, object)),
      gone: ({ metadata }) => this.#gone(metadata.uid ?? ""),
      dropped: (resource) => this.#dropped(resource),
      synced: () => this.#resume(),
    });
    const informers = new SharedInformerFactory(client, { clock, random, logger });
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

  /** Collects until `signal` aborts. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    // Where no definition is, nothing else would start the monitors.
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
    // The objects are gone with their definition; when it has only changed, they are still there.
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

  /** Deletes an object whose owners are gone, or takes those off that are. */
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
        // They wait for each other: a circle, which has to be broken somewhere.
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

  /** Undefined when it cannot be said. */
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
        // A reference that says too little to be followed, and nothing to delete an object for.
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

  /** The object as the server has it; undefined when it is gone, whatever has its name now. */
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
    latest: KubeObject,
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

/** An owner that is gone is known only where it could own something. */
function absentKey(namespace: string, uid: string): string {
  return `${namespace}/${uid}`;
}

/** So that a change meanwhile is a conflict. */
function versionOf({ metadata }: KubeObject): { resourceVersion: string | undefined } {
  return { resourceVersion: metadata.resourceVersion };
}

function inNamespace(namespace: string): { namespace?: string } {
  return namespace === "" ? {} : { namespace };
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
