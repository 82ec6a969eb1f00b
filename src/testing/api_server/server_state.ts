import type { CustomResourceDefinition, KubeObject } from "@kubeloop/controller/types";
import { resourcesOf } from "./handlers/mod.ts";
import { isObject, type Json } from "./values/mod.ts";
import type { ResourceInfo, ResourceRegistry } from "./kinds/mod.ts";
import type { Storage } from "./storage/mod.ts";

/** Everything that an API server holds at one moment. Another server can continue from it. */
export interface ServerState {
  /** The resource version of the last write. */
  readonly resourceVersion: string;
  /** The objects, sorted by the full name of their resource; within a resource, in the order of a list. */
  readonly objects: readonly StateObject[];
}

/** One object of a {@linkcode ServerState}. */
export interface StateObject {
  /** The full name of the resource, as in `deployments.apps`. */
  readonly resource: string;
  /** The object as JSON, in the storage version. */
  readonly text: string;
}

const DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";

/** Returns the state of `storage`. The texts of the objects are shared with it, not copied. */
export function takeState(storage: Storage): ServerState {
  const stores = [...storage.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  const objects = stores.flatMap(([resource, store]) =>
    store.list("").map(({ text }) => ({ resource, text }))
  );
  return { resourceVersion: String(storage.revision), objects };
}

/**
 * Fills an empty storage with `state`, and registers the custom resources of the CustomResourceDefinitions in it.
 *
 * @throws {SyntaxError} If this server cannot hold the state. The storage is then unusable.
 */
export function restoreState(
  state: ServerState,
  storage: Storage,
  registry: ResourceRegistry,
): void {
  const revision = revisionOf(state.resourceVersion);
  if (revision === undefined) {
    throw new SyntaxError("Cannot read the state: its resourceVersion is missing or invalid");
  }
  // The definitions come first: other objects may be of the kinds that they define.
  const definitions = state.objects.filter(({ resource }) => resource === DEFINITIONS);
  const rest = state.objects.filter(({ resource }) => resource !== DEFINITIONS);
  const restore = (object: StateObject, index: number) => {
    const info = registry.all().find(({ storageName }) => storageName === object.resource);
    if (info === undefined) {
      throw new SyntaxError(
        `Cannot read the state: this server does not serve the resource ${object.resource}`,
      );
    }
    try {
      restoreObject(object.text, info, revision, storage);
    } catch (error) {
      throw new SyntaxError(
        `Cannot read the state: object ${index + 1} of ${object.resource}: ${
          (error as Error).message
        }`,
        { cause: error },
      );
    }
  };
  definitions.forEach(restore);
  for (const stored of storage.store(DEFINITIONS).list("")) {
    const crd = stored.parse() as CustomResourceDefinition;
    if (crd.status?.conditions?.some(isEstablished)) {
      registry.setCustom(stored.name, resourcesOf(crd));
    }
  }
  rest.forEach(restore);
  // restartAt() drops the watch window of every store, so every resource needs a store, those without objects included:
  // a watch from an earlier revision must get a 410.
  for (const { storageName } of registry.all()) storage.store(storageName);
  storage.restartAt(revision);
}

function restoreObject(
  text: string,
  info: ResourceInfo,
  newest: number,
  storage: Storage,
): void {
  const object = JSON.parse(text) as Json;
  if (!isObject(object) || !isObject(object["metadata"]) || !object["metadata"]["name"]) {
    throw new TypeError("It has no metadata.name");
  }
  const named = object as unknown as KubeObject;
  const revision = revisionOf(named.metadata.resourceVersion);
  if (revision === undefined || revision > newest) {
    throw new TypeError(
      "Its resourceVersion is missing, invalid or greater than that of the state",
    );
  }
  storage.restore(storage.store(info.storageName), named, revision, info.encodeStored);
}

function revisionOf(text: unknown): number | undefined {
  return typeof text === "string" && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined;
}

function isEstablished(condition: unknown): boolean {
  const { type, status } = condition as { type?: string; status?: string };
  return type === "Established" && status === "True";
}
