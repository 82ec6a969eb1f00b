import type { Timer } from "@kubeloop/controller/internal/base";
import {
  type CustomResourceDefinition,
  formatTime,
  type KubeObject,
} from "@kubeloop/controller/types";
import type { ControllerContext } from "./controller_context.ts";
import { approvalOf, type ResourceInfo, updateManagedFields } from "../kinds/mod.ts";
import { type Json, jsonEqual, type JsonObject } from "../../values/mod.ts";
import type { StoredObject } from "../storage/mod.ts";
import { resourcesOf } from "./definition_resources.ts";
import {
  acceptedNameIds,
  conditionsOf,
  decideNames,
  groupOfWaiting,
  hasCondition,
  isDecided,
  withCondition,
} from "./definition_names.ts";

/** The time, in milliseconds, from a change of a definition to the end of the open watches of its custom resource. */
const WATCH_DRAIN_MS = 1000;

/** The plural of definitions. */
const DEFINITIONS = "customresourcedefinitions";

/** The condition that says whether a definition may be in its group. */
const APPROVED = "KubernetesAPIApprovalPolicyConformant";

/** The finalizer that keeps a definition until its custom resources are removed. */
const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

/** The time, in milliseconds, between two looks whether the custom resources of a deleted definition are gone. */
const CLEANUP_POLL_MS = 5000;

/**
 * Does the work of the API server's controllers for CustomResourceDefinitions: accepts their names, serves their
 * resources, and removes the custom resources when a definition is deleted. Each step is a separate write, immediately
 * after the write that caused it.
 */
export class DefinitionController {
  readonly #server: ControllerContext;
  readonly #drains = new Set<Timer>();

  /** Creates a controller that registers custom resources in the registry of `server`. */
  constructor(server: ControllerContext) {
    this.#server = server;
  }

  /** Cancels the pending ends of watches. The server closes all watches itself. */
  close(): void {
    for (const timer of this.#drains) timer.cancel();
    this.#drains.clear();
  }

  /** Continues the work that an earlier server has not finished: names to accept, deletions to complete. */
  resume(): void {
    const resource = this.#server.registry.find("apiextensions.k8s.io", "v1", DEFINITIONS)!;
    for (const stored of this.#server.storage.store(resource.storageName).list("")) {
      const crd = resource.read(stored) as CustomResourceDefinition;
      if (crd.metadata.deletionTimestamp !== undefined) this.#tearDown(resource, stored.name);
      else if (!hasCondition(crd, "Established")) this.#settleNames(resource, stored.name);
    }
  }

  /** Reacts to a write of a definition. */
  onWrite(resource: ResourceInfo, stored: StoredObject, previous: StoredObject | undefined): void {
    const crd = resource.read(stored) as CustomResourceDefinition;
    const name = stored.name;
    if (crd.metadata.deletionTimestamp !== undefined) {
      this.#tearDown(resource, name);
      return;
    }
    this.#settleApproval(resource, crd);
    const before = previous?.parse() as CustomResourceDefinition | undefined;
    if (
      before !== undefined && jsonEqual(before.spec as unknown as Json, crd.spec as unknown as Json)
    ) {
      return;
    }
    this.#settleNames(resource, name);
    this.#settleOthers(resource, crd);
  }

  /** Returns the stored definition; undefined if it is gone. */
  #read(resource: ResourceInfo, name: string): CustomResourceDefinition | undefined {
    const stored = this.#server.storage.store(resource.storageName).get(name);
    return stored && resource.read(stored) as CustomResourceDefinition;
  }

  /** Says in the status of a definition whether its group lets it in. */
  #settleApproval(resource: ResourceInfo, crd: CustomResourceDefinition): void {
    const approval = approvalOf(crd as unknown as JsonObject);
    if (approval === undefined) return;
    const known = conditionsOf(crd).find(({ type }) => type === APPROVED);
    if (known?.status === approval.status && known.message === approval.message) return;
    const lastTransitionTime = formatTime(this.#server.clock.wallNow());
    const condition = { type: APPROVED, lastTransitionTime, ...approval };
    this.#writeStatus(resource, crd.metadata.name!, (live) => ({
      ...live.status,
      conditions: withCondition(live, condition),
    }));
  }

  /** Decides which names a definition may use, and serves it if it may use all that it needs. */
  #settleNames(resource: ResourceInfo, name: string): void {
    const crd = this.#read(resource, name);
    if (crd === undefined) return;
    const now = this.#server.clock.wallNow();
    const names = this.#server.storage.store(resource.storageName).index(acceptedNameIds);
    const decision = decideNames(crd, (id) => names.keys(id).size > 0, now);
    const { acceptedNames, namesAccepted, established } = decision;
    if (!isDecided(crd, decision)) {
      this.#writeStatus(resource, name, (live) => {
        const first = { ...live, status: { ...live.status } } as CustomResourceDefinition;
        first.status = { ...live.status, conditions: withCondition(first, namesAccepted) };
        return { ...live.status, conditions: withCondition(first, established), acceptedNames };
      });
    }
    if (namesAccepted.status === "True" && established.status !== "True") {
      // A real API server registers the group's APIService here, which takes a revision.
      this.#server.storage.skipRevision();
      this.#writeStatus(resource, name, (live) => ({
        ...live.status,
        conditions: withCondition(live, {
          type: "Established",
          status: "True",
          lastTransitionTime: formatTime(now),
          reason: "InitialNamesAccepted",
          message: "the initial names have been accepted",
        }),
      }));
    }
    const settled = this.#read(resource, name)!;
    if (!hasCondition(settled, "Established")) return;
    const served = this.#server.registry.customVersions(name);
    const until = served.length > 0 ? this.#server.storage.revision : 0;
    this.#server.registry.setCustom(name, resourcesOf(settled, until));
    if (served.length > 0) this.#drainWatches(served[0]!.storageName);
  }

  /** Lets the other definitions of a group have the names that they wanted, if they are free now. */
  #settleOthers(resource: ResourceInfo, crd: CustomResourceDefinition): void {
    const waiting = this.#server.storage.store(resource.storageName).index(groupOfWaiting);
    for (const name of [...waiting.keys(crd.spec.group)].sort()) {
      if (name !== crd.metadata.name) this.#settleNames(resource, name);
    }
  }

  /** Writes the status of a definition, as the API server's own controllers do. */
  #writeStatus(
    resource: ResourceInfo,
    name: string,
    change: (crd: CustomResourceDefinition) => unknown,
  ): void {
    const { clock, storage } = this.#server;
    const store = storage.store(resource.storageName);
    const stored = store.get(name);
    if (stored === undefined) return;
    const live = resource.read(stored) as CustomResourceDefinition;
    const next = updateManagedFields({
      kind: resource.kind,
      live,
      next: { ...live, status: change(live) } as KubeObject,
      manager: "kube-apiserver",
      subresource: "status",
      now: formatTime(clock.wallNow()),
    });
    storage.put(store, { ...next, metadata: { ...next.metadata } }, resource.encodeStored);
  }

  /**
   * Deletes the custom resources of a definition, and then the definition or its cleanup finalizer. Custom resources
   * with finalizers keep it: it looks again after a while.
   */
  #tearDown(resource: ResourceInfo, name: string): void {
    const crd = this.#read(resource, name);
    if (!(crd?.metadata.finalizers ?? []).includes(CLEANUP_FINALIZER)) return;
    if (!hasCondition(crd!, "Established")) {
      this.#terminating(resource, name, "False", {
        reason: "NeverEstablished",
        message: "resource was never established",
      });
      return this.#release(resource, name);
    }
    this.#server.registry.setTerminating(name);
    this.#terminating(resource, name, "True", {
      reason: "InstanceDeletionInProgress",
      message: "CustomResource deletion is in progress",
    });
    this.#finish(resource, name);
  }

  /** Deletes the remaining custom resources of a definition, and then completes its deletion; retries later if finalizers keep some. */
  #finish(resource: ResourceInfo, name: string): void {
    const { registry } = this.#server;
    const [first] = registry.customVersions(name);
    if (first !== undefined && this.#deleteInstances(first) > 0) {
      this.#finishLater(resource, name);
      return;
    }
    registry.removeCustom(name);
    if (first !== undefined) this.#drainWatches(first.storageName);
    this.#terminating(resource, name, "False", {
      reason: "InstanceDeletionCompleted",
      message: "removed all instances",
    });
    this.#release(resource, name);
  }

  #finishLater(resource: ResourceInfo, name: string): void {
    const { clock, logger } = this.#server;
    const timer = clock.setTimer(() => {
      this.#drains.delete(timer);
      try {
        this.#finish(resource, name);
      } catch (error) {
        // The journal refused the write. No request waits for it, so it is retried.
        logger.error(`Cannot delete the CustomResourceDefinition ${name} now`, error);
        this.#finishLater(resource, name);
      }
    }, CLEANUP_POLL_MS);
    this.#drains.add(timer);
  }

  /** Deletes custom resources, and returns how many finalizers keep. */
  #deleteInstances(resource: ResourceInfo): number {
    const { clock, storage } = this.#server;
    const store = storage.store(resource.storageName);
    for (const stored of store.list("")) {
      const object = stored.parse();
      const { metadata } = object;
      if ((metadata.finalizers ?? []).length === 0) this.#server.remove(resource, store, stored);
      else if (metadata.deletionTimestamp === undefined) {
        metadata.deletionTimestamp = formatTime(clock.wallNow());
        metadata.deletionGracePeriodSeconds = 0;
        if ((metadata.generation ?? 0) > 0) metadata.generation = metadata.generation! + 1;
        const written = storage.put(store, object, resource.encodeStored);
        this.#server.written(resource, written, stored);
      }
    }
    return store.list("").length;
  }

  #terminating(
    resource: ResourceInfo,
    name: string,
    status: "True" | "False",
    why: { readonly reason: string; readonly message: string },
  ): void {
    const lastTransitionTime = formatTime(this.#server.clock.wallNow());
    this.#writeStatus(resource, name, (crd) => ({
      ...crd.status,
      conditions: withCondition(crd, { type: "Terminating", status, lastTransitionTime, ...why }),
    }));
  }

  /** Removes the cleanup finalizer of a definition, or the definition itself if no other finalizer keeps it. */
  #release(resource: ResourceInfo, name: string): void {
    const { storage } = this.#server;
    const store = storage.store(resource.storageName);
    const stored = store.get(name);
    if (stored === undefined) return;
    const crd = resource.read(stored) as CustomResourceDefinition;
    const finalizers = (crd.metadata.finalizers ?? []).filter((one) => one !== CLEANUP_FINALIZER);
    if (finalizers.length > 0) {
      const metadata = { ...crd.metadata, finalizers };
      storage.put(store, { ...crd, metadata }, resource.encodeStored);
      return;
    }
    storage.remove(store, stored, resource.encodeStored);
    this.#settleOthers(resource, crd);
  }

  /** Ends the watches of a resource after a short delay, as a change of its definition does. */
  #drainWatches(storageName: string): void {
    const timer = this.#server.clock.setTimer(() => {
      this.#drains.delete(timer);
      this.#server.watches.end("closed", (resource) => resource === storageName);
    }, WATCH_DRAIN_MS);
    this.#drains.add(timer);
  }
}

/**
 * Returns the definition as the start of a deletion leaves it: it waits, with a finalizer and the condition
 * `Terminating`, until its custom resources are removed.
 */
export function markDefinition(crd: KubeObject, now: string): KubeObject {
  const definition = crd as CustomResourceDefinition;
  const finalizers = crd.metadata.finalizers ?? [];
  return {
    ...definition,
    metadata: {
      ...crd.metadata,
      deletionTimestamp: now,
      finalizers: finalizers.includes(CLEANUP_FINALIZER)
        ? finalizers
        : [...finalizers, CLEANUP_FINALIZER],
    },
    status: {
      ...definition.status,
      conditions: withCondition(definition, {
        type: "Terminating",
        status: "True",
        lastTransitionTime: now,
        reason: "InstanceDeletionPending",
        message:
          "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
      }),
    },
  } as KubeObject;
}
