import type { Timer } from "@kubeloop/controller/internal/base";
import {
  type CustomResourceDefinition,
  formatTime,
  type KubeObject,
} from "@kubeloop/controller/types";
import type { ControllerContext } from "./controller_context.ts";
import { approvalOf, type ResourceInfo, updateManagedFields } from "../kinds/mod.ts";
import type { JsonObject } from "../../values/mod.ts";
import { resourcesOf } from "./definition_resources.ts";
import {
  acceptedNameIds,
  conditionsOf,
  decideNames,
  type DefinitionCondition,
  groupOfWaiting,
  hasCondition,
  isDecided,
  withCondition,
} from "./definition_names.ts";
import { LevelLoop } from "./level_loop.ts";

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

/** The reason for the end of the condition `Terminating`. */
const COMPLETED = {
  reason: "InstanceDeletionCompleted",
  message: "removed all instances",
};

/**
 * Does the work of the API server's controllers for CustomResourceDefinitions: accepts their names, serves their
 * resources, and removes the custom resources when a definition is deleted. Each step is a separate write, immediately
 * after the write that caused it. A run compares the stored definition with what is done already, so that it completes
 * what an earlier run could not.
 */
export class DefinitionController {
  readonly #server: ControllerContext;
  readonly #resource: ResourceInfo;
  readonly #loop: LevelLoop;
  /** The identity of the specification that each definition is served by, by name. */
  readonly #served = new Map<string, string>();
  readonly #drains = new Set<Timer>();

  /** Creates a controller that registers custom resources in the registry of `server`. */
  constructor(server: ControllerContext) {
    this.#server = server;
    this.#resource = server.registry.find("apiextensions.k8s.io", "v1", DEFINITIONS)!;
    this.#loop = new LevelLoop(server, "serve the definition", (name) => this.#settle(name));
  }

  /** Cancels the retries and the pending ends of watches. The server closes all watches itself. */
  close(): void {
    this.#loop.close();
    for (const timer of this.#drains) timer.cancel();
    this.#drains.clear();
  }

  /** Continues the work that an earlier server has not finished: names to accept, deletions to complete. */
  resume(): void {
    const { registry, storage } = this.#server;
    for (const stored of storage.store(this.#resource.storageName).list("")) {
      const crd = this.#resource.read(stored) as CustomResourceDefinition;
      if (registry.customVersions(stored.name).length > 0) {
        this.#served.set(stored.name, identityOf(crd));
      }
      const isDone = crd.metadata.deletionTimestamp === undefined &&
        hasCondition(crd, "Established");
      if (!isDone) this.#loop.sync(stored.name);
    }
  }

  /** Brings a definition up to date. Call it after every write of it, and after its removal. */
  sync(name: string): void {
    this.#loop.sync(name);
  }

  /** Returns the time after which to look again, in milliseconds; undefined if the definition is settled. */
  #settle(name: string): number | undefined {
    const crd = this.#read(name);
    if (crd === undefined) return this.#forget(name);
    if (crd.metadata.deletionTimestamp !== undefined) return this.#tearDown(crd);
    this.#settleApproval(crd);
    const isSettled = hasCondition(crd, "NamesAccepted") && hasCondition(crd, "Established") &&
      this.#served.get(name) === identityOf(crd);
    if (isSettled) return undefined;
    this.#settleNames(name);
    this.#serve(name);
    return undefined;
  }

  /** Returns the stored definition; undefined if it is gone. */
  #read(name: string): CustomResourceDefinition | undefined {
    const stored = this.#server.storage.store(this.#resource.storageName).get(name);
    return stored && this.#resource.read(stored) as CustomResourceDefinition;
  }

  /** Says in the status of a definition whether its group lets it in. */
  #settleApproval(crd: CustomResourceDefinition): void {
    const approval = approvalOf(crd as unknown as JsonObject);
    if (approval !== undefined) {
      this.#setCondition(crd.metadata.name!, { type: APPROVED, ...approval });
    }
  }

  /** Decides which names a definition may use, and establishes it if it may use all that it needs. */
  #settleNames(name: string): void {
    const crd = this.#read(name)!;
    const { group } = crd.spec;
    const now = this.#server.clock.wallNow();
    const names = this.#server.storage.store(this.#resource.storageName).index(acceptedNameIds);
    const decision = decideNames(crd, (id) => names.keys(id).size > 0, now);
    const { acceptedNames, namesAccepted, established } = decision;
    if (!isDecided(crd, decision)) {
      this.#writeStatus(name, (live) => {
        const first = { ...live, status: { ...live.status } } as CustomResourceDefinition;
        first.status = { ...live.status, conditions: withCondition(first, namesAccepted) };
        return { ...live.status, conditions: withCondition(first, established), acceptedNames };
      });
      this.#settleOthers(group, name);
    }
    if (namesAccepted.status !== "True" || established.status === "True") return;
    // A real API server registers the group's APIService here, which takes a revision.
    this.#server.storage.skipRevision();
    this.#setCondition(name, {
      type: "Established",
      status: "True",
      reason: "InitialNamesAccepted",
      message: "the initial names have been accepted",
    });
  }

  /** Serves an established definition by its current specification. */
  #serve(name: string): void {
    const crd = this.#read(name)!;
    if (!hasCondition(crd, "Established")) return;
    const { registry, storage } = this.#server;
    const wasServed = registry.customVersions(name).length > 0;
    // There may be objects that were stored under an earlier specification.
    const until = wasServed || storage.holds(name) ? storage.revision : 0;
    registry.setCustom(name, resourcesOf(crd, registry.release, until));
    this.#served.set(name, identityOf(crd));
    if (wasServed) this.#drainWatches(name);
  }

  /** Stops serving a definition. */
  #unserve(name: string): void {
    const served = this.#server.registry.removeCustom(name);
    this.#served.delete(name);
    if (served.length > 0) this.#drainWatches(name);
  }

  /** Settles the other definitions of a group that wait for names, which may be free now. */
  #settleOthers(group: string, name: string): void {
    const waiting = this.#server.storage.store(this.#resource.storageName).index(groupOfWaiting);
    for (const other of [...waiting.keys(group)].sort()) {
      if (other !== name) this.#loop.sync(other);
    }
  }

  /** Removes what a deleted definition leaves: its resource and its empty store. Other definitions may take its names. */
  #forget(name: string): undefined {
    this.#unserve(name);
    this.#server.storage.drop(name);
    // The name of a definition is its plural and its group.
    this.#settleOthers(name.slice(name.indexOf(".") + 1), name);
  }

  /** Sets a condition of a definition, unless it has it already. */
  #setCondition(
    name: string,
    condition: Omit<DefinitionCondition, "lastTransitionTime">,
  ): void {
    const crd = this.#read(name);
    if (crd === undefined || hasSameCondition(crd, condition)) return;
    const lastTransitionTime = formatTime(this.#server.clock.wallNow());
    this.#writeStatus(name, (live) => ({
      ...live.status,
      conditions: withCondition(live, { ...condition, lastTransitionTime }),
    }));
  }

  /** Writes the status of a definition, as the API server's own controllers do. */
  #writeStatus(
    name: string,
    change: (crd: CustomResourceDefinition) => unknown,
  ): void {
    const { clock, storage } = this.#server;
    const resource = this.#resource;
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
  #tearDown(crd: CustomResourceDefinition): number | undefined {
    const name = crd.metadata.name!;
    if (!(crd.metadata.finalizers ?? []).includes(CLEANUP_FINALIZER)) return undefined;
    if (!hasCondition(crd, "Established")) {
      this.#setTerminating(name, "False", {
        reason: "NeverEstablished",
        message: "resource was never established",
      });
    } else if (!hasSameCondition(crd, { type: "Terminating", status: "False", ...COMPLETED })) {
      const { registry } = this.#server;
      registry.setTerminating(name);
      this.#setTerminating(name, "True", {
        reason: "InstanceDeletionInProgress",
        message: "CustomResource deletion is in progress",
      });
      const [first] = registry.customVersions(name);
      if (first !== undefined && this.#deleteInstances(first) > 0) return CLEANUP_POLL_MS;
      this.#unserve(name);
      this.#setTerminating(name, "False", COMPLETED);
    }
    this.#release(name);
    return undefined;
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
        this.#server.written(resource, written);
      }
    }
    return store.list("").length;
  }

  #setTerminating(
    name: string,
    status: "True" | "False",
    why: { readonly reason: string; readonly message: string },
  ): void {
    this.#setCondition(name, { type: "Terminating", status, ...why });
  }

  /** Removes the cleanup finalizer of a definition, or the definition itself if no other finalizer keeps it. */
  #release(name: string): void {
    const { storage } = this.#server;
    const resource = this.#resource;
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
    this.#forget(name);
  }

  /** Ends the open watches of a resource after a short delay, as a change of its definition does. */
  #drainWatches(storageName: string): void {
    const end = this.#server.watches.endLater(storageName);
    const timer = this.#server.clock.setTimer(() => {
      this.#drains.delete(timer);
      end();
    }, WATCH_DRAIN_MS);
    this.#drains.add(timer);
  }
}

/** Reports whether a definition has a condition with the same status, reason and message. */
function hasSameCondition(
  crd: CustomResourceDefinition,
  { type, status, reason, message }: Omit<DefinitionCondition, "lastTransitionTime">,
): boolean {
  return conditionsOf(crd).some((one) =>
    one.type === type && one.status === status && one.reason === reason && one.message === message
  );
}

/** Returns a text that changes when a definition is to be served in another way. */
function identityOf({ metadata, status }: CustomResourceDefinition): string {
  return JSON.stringify([metadata.uid, metadata.generation, status?.acceptedNames]);
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
