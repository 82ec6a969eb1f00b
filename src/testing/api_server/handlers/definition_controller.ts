import type { Timer } from "@kubeloop/controller/base";
import {
  type CustomResourceDefinition,
  formatTime,
  type KubeObject,
} from "@kubeloop/controller/types";
import type { ServerContext } from "./exchange.ts";
import {
  type Conversion,
  type ConversionWebhook,
  type ResourceDefinition,
  ResourceInfo,
  type SubresourceDefinition,
  updateManagedFields,
} from "../kinds/mod.ts";
import { compileCrdVersion, type KindInfo } from "../schema/mod.ts";
import {
  getArray,
  getObject,
  getString,
  isObject,
  type Json,
  jsonEqual,
} from "../values/mod.ts";
import type { StoredObject } from "../storage/mod.ts";

/** The time, in milliseconds, from a change of a definition to the end of the open watches of its custom resource. */
const WATCH_DRAIN_MS = 1000;

/** The finalizer that keeps a definition until its custom resources are removed. */
const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

type Condition = {
  type: string;
  status: string;
  lastTransitionTime: string;
  reason: string;
  message: string;
};

/**
 * Does the work of the API server's controllers for CustomResourceDefinitions: accepts their names, serves their
 * resources, and removes the custom resources when a definition is deleted. Each step is a separate write, immediately
 * after the write that caused it.
 */
export class DefinitionController {
  readonly #server: ServerContext;
  readonly #drains = new Set<Timer>();

  /** Creates a controller that registers custom resources in the registry of `server`. */
  constructor(server: ServerContext) {
    this.#server = server;
  }

  /** Cancels the pending ends of watches. The server closes all watches itself. */
  close(): void {
    for (const timer of this.#drains) timer.cancel();
    this.#drains.clear();
  }

  /** Reacts to a write of a definition. */
  onWrite(resource: ResourceInfo, stored: StoredObject, previous: StoredObject | undefined): void {
    const crd = resource.read(stored) as CustomResourceDefinition;
    const name = stored.name;
    if (crd.metadata.deletionTimestamp !== undefined) {
      this.#tearDown(resource, name);
      return;
    }
    const before = previous?.parse() as CustomResourceDefinition | undefined;
    if (
      before !== undefined && jsonEqual(before.spec as unknown as Json, crd.spec as unknown as Json)
    ) {
      return;
    }
    if (isEstablished(crd)) this.#acceptNames(resource, crd);
    else this.#establish(resource, name);
    const served = this.#server.registry.customVersions(name);
    this.#server.registry.setCustom(name, resourcesOf(crd));
    if (served.length > 0) this.#drainWatches(served[0]!.storageName);
  }

  /** Accepts changed names, without a check for conflicts. */
  #acceptNames(resource: ResourceInfo, { metadata, spec, status }: CustomResourceDefinition): void {
    const accepted = status?.acceptedNames as unknown as Json;
    if (jsonEqual(accepted, spec.names as unknown as Json)) return;
    this.#writeStatus(resource, metadata.name!, (live) => ({
      ...live.status,
      acceptedNames: live.spec.names,
    }));
  }

  #establish(resource: ResourceInfo, name: string): void {
    const lastTransitionTime = formatTime(this.#server.clock.wallNow());
    const accepted: Condition = {
      type: "NamesAccepted",
      status: "True",
      lastTransitionTime,
      reason: "NoConflicts",
      message: "no conflicts found",
    };
    const established = (status: string, reason: string): Condition => ({
      type: "Established",
      status,
      lastTransitionTime,
      reason,
      message: "the initial names have been accepted",
    });
    this.#writeStatus(resource, name, ({ spec, status }) => ({
      ...status,
      conditions: [accepted, established("False", "Installing")],
      acceptedNames: spec.names,
    }));
    // A real API server registers the group's APIService here, which takes a revision.
    this.#server.storage.skipRevision();
    this.#writeStatus(resource, name, ({ status }) => ({
      ...status,
      conditions: [accepted, established("True", "InitialNamesAccepted")],
    }));
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

  /** Removes the custom resources, then the definition or its cleanup finalizer. */
  #tearDown(resource: ResourceInfo, name: string): void {
    const { clock, registry, storage } = this.#server;
    const terminating = (status: string, reason: string, message: string) =>
      this.#writeStatus(resource, name, (crd) => ({
        ...crd.status,
        conditions: withCondition(crd, {
          type: "Terminating",
          status,
          lastTransitionTime: formatTime(clock.wallNow()),
          reason,
          message,
        }),
      }));
    terminating("True", "InstanceDeletionInProgress", "CustomResource deletion is in progress");
    const [first] = registry.removeCustom(name);
    if (first !== undefined) {
      const store = storage.store(first.storageName);
      for (const object of store.list("")) storage.remove(store, object, first.encodeStored);
      this.#drainWatches(first.storageName);
    }
    terminating("False", "InstanceDeletionCompleted", "removed all instances");
    const store = storage.store(resource.storageName);
    const stored = store.get(name);
    if (stored === undefined) return;
    const crd = resource.read(stored);
    const finalizers = (crd.metadata.finalizers ?? []).filter((one) => one !== CLEANUP_FINALIZER);
    if (finalizers.length === 0) storage.remove(store, stored, resource.encodeStored);
    else {
      const metadata = { ...crd.metadata, finalizers };
      storage.put(store, { ...crd, metadata }, resource.encodeStored);
    }
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

/** Returns the conditions of a definition, with `condition` added or replaced. */
function withCondition(crd: CustomResourceDefinition, condition: Condition): Condition[] {
  const conditions = (crd.status?.conditions ?? []) as Condition[];
  return [...conditions.filter(({ type }) => type !== condition.type), condition];
}

function isEstablished(crd: CustomResourceDefinition): boolean {
  return (crd.status?.conditions ?? []).some((condition) =>
    condition.type === "Established" && condition.status === "True"
  );
}

function deprecationOf(crd: CustomResourceDefinition, name: string): { deprecation?: string } {
  const { group, names, versions } = crd.spec;
  const version = versions.find((one) => one.name === name) as {
    deprecated?: boolean;
    deprecationWarning?: string;
  };
  if (version.deprecated !== true) return {};
  return {
    deprecation: version.deprecationWarning ?? `${group}/${name} ${names.kind} is deprecated`,
  };
}

/** Returns the served versions of a definition. */
export function resourcesOf(crd: CustomResourceDefinition): ResourceInfo[] {
  const { group, names, scope, versions } = crd.spec;
  const storageVersion = versions.find((version) => version.storage)!;
  const kindOf = (version: string): KindInfo => {
    const custom = compileCrdVersion(crd, version)!;
    const namespaced = scope === "Namespaced";
    const { kind, plural } = names;
    return { group, version, kind, plural, namespaced, schema: custom.type, custom };
  };
  const storage = kindOf(storageVersion.name);
  return versions.filter((version) => version.served).map((version) => {
    const definition: ResourceDefinition = {
      group,
      version: version.name,
      plural: names.plural,
      kind: names.kind,
      namespaced: scope === "Namespaced",
      singular: names.singular ?? names.kind.toLowerCase(),
      listKind: names.listKind ?? `${names.kind}List`,
      verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
      subresources: subresourcesOf(version.subresources),
      ...deprecationOf(crd, version.name),
      ...(names.shortNames === undefined ? {} : { shortNames: names.shortNames }),
      ...(names.categories === undefined ? {} : { categories: names.categories }),
    };
    const name = `${names.plural}.${group}`;
    const kind = version.storage ? storage : kindOf(version.name);
    const webhook = conversionWebhookOf(crd);
    if (webhook !== undefined) {
      return new ResourceInfo(definition, kind, { name, kind: storage, webhook });
    }
    if (version.storage) return new ResourceInfo(definition, storage);
    return new ResourceInfo(definition, kind, {
      name,
      kind: storage,
      conversion: noConversion(`${group}/${storageVersion.name}`, `${group}/${version.name}`),
    });
  });
}

/** Returns the webhook for the strategy `Webhook`; undefined for `None`. */
function conversionWebhookOf(crd: CustomResourceDefinition): ConversionWebhook | undefined {
  const conversion = getObject(crd as unknown as Json, "spec", "conversion");
  if (getString(conversion, "strategy") !== "Webhook") return undefined;
  const config = getObject(conversion, "webhook");
  const versions = getArray(config, "conversionReviewVersions").map(String);
  return { config, reviewVersion: versions.find((one) => one === "v1" || one === "v1beta1")! };
}

/** Returns the conversion for the strategy `None`: only the apiVersion changes. */
function noConversion(stored: string, served: string): Conversion {
  return {
    fromStorage: (object) => ({ ...object, apiVersion: served }),
    toStorage: (object) => ({ ...object, apiVersion: stored }),
  };
}

function subresourcesOf(subresources: unknown): readonly SubresourceDefinition[] {
  if (!isObject(subresources)) return [];
  const verbs = ["get", "patch", "update"];
  const out = [];
  if (subresources["status"] !== undefined) out.push({ name: "status", verbs });
  if (subresources["scale"] !== undefined) {
    out.push({ name: "scale", group: "autoscaling", version: "v1", kind: "Scale", verbs });
  }
  return out;
}
