import type { CustomResourceDefinition, KubeObject } from "@kubeloop/controller/types";
import { resourcesOf } from "./controllers/mod.ts";
import { isObject, type Json, readJson } from "../values/mod.ts";
import type { ResourceInfo, ResourceRegistry } from "./kinds/mod.ts";
import { type Storage, StoredObject } from "./storage/mod.ts";

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

/** Returns the state of `storage`, frozen. The texts of the objects are shared with it, not copied. */
export function takeState(storage: Storage): ServerState {
  const stores = [...storage.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  const objects = stores.flatMap(([resource, store]) =>
    store.list("").map(({ text }) => Object.freeze({ resource, text }))
  );
  return Object.freeze({
    resourceVersion: String(storage.revision),
    objects: Object.freeze(objects),
  });
}

/** A state that was read, in a form that servers share. */
interface ReadState {
  readonly revision: number;
  /** The custom resources by the name of their definition. */
  readonly custom: ReadonlyMap<string, readonly ResourceInfo[]>;
  readonly objects: readonly { readonly resource: string; readonly object: StoredObject }[];
}

/** The states that were read. A simulation starts thousands of servers from the same one. */
const read = new WeakMap<ServerState, ReadState>();

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
  let known = read.get(state);
  if (known === undefined) {
    known = readState(state, registry);
    // A state that can still be changed is read again.
    if (isFrozen(state)) read.set(state, known);
  }
  for (const [name, resources] of known.custom) {
    // Only one server knows the objects that its webhook has converted.
    registry.setCustom(name, resources.map((resource) => resource.unconverted()));
  }
  for (const { object, resource } of known.objects) storage.store(resource).restore(object);
  storage.restartAt(known.revision);
}

function readState(state: ServerState, registry: ResourceRegistry): ReadState {
  const revision = revisionOf(state.resourceVersion);
  if (revision === undefined) {
    throw new SyntaxError("Cannot read the state: its resourceVersion is missing or invalid");
  }
  const objects: { resource: string; object: StoredObject }[] = [];
  const readOne = ({ resource, text }: StateObject, index: number) => {
    const info = registry.all().find(({ storageName }) => storageName === resource);
    if (info === undefined) {
      throw new SyntaxError(
        `Cannot read the state: this server does not serve the resource ${resource}`,
      );
    }
    try {
      objects.push({ resource, object: readObject(text, info, revision) });
    } catch (error) {
      throw new SyntaxError(
        `Cannot read the state: object ${index + 1} of ${resource}: ${(error as Error).message}`,
        { cause: error },
      );
    }
  };
  // The definitions come first: other objects may be of the kinds that they define.
  state.objects.filter(({ resource }) => resource === DEFINITIONS).forEach(readOne);
  const custom = new Map<string, readonly ResourceInfo[]>();
  for (const { object } of objects) {
    const crd = object.parse() as CustomResourceDefinition;
    if (!crd.status?.conditions?.some(isEstablished)) continue;
    const hasChanged = (crd.metadata.generation ?? 1) > 1;
    const resources = resourcesOf(crd, registry.release, hasChanged ? revision : 0);
    custom.set(object.name, resources);
    registry.setCustom(object.name, resources);
  }
  state.objects.filter(({ resource }) => resource !== DEFINITIONS).forEach(readOne);
  return { revision, custom, objects };
}

function readObject(text: string, info: ResourceInfo, newest: number): StoredObject {
  const object = readJson(text) as Json;
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
  return new StoredObject(named, revision, info.encodeStored(named));
}

function revisionOf(text: unknown): number | undefined {
  return typeof text === "string" && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined;
}

function isFrozen(state: ServerState): boolean {
  const { objects } = state;
  return Object.isFrozen(state) && Object.isFrozen(objects) && objects.every(Object.isFrozen);
}

function isEstablished(condition: unknown): boolean {
  const { type, status } = condition as { type?: string; status?: string };
  return type === "Established" && status === "True";
}
