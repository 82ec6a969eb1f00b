import type { KubeObject, OwnerReference, ResourceDescriptor } from "@kubeloop/controller/types";

/** Lets the object wait until what it owns, and what blocks its deletion, is gone. */
export const FOREGROUND_FINALIZER = "foregroundDeletion";
/** Lets the object wait until what it owns no longer refers to it. */
export const ORPHAN_FINALIZER = "orphan";

/** What the garbage collector knows of one object. */
export interface OwnedObject {
  readonly resource: ResourceDescriptor;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly isBeingDeleted: boolean;
}

/** What the garbage collector needs to know of `object`. */
export function ownedObject(resource: ResourceDescriptor, { metadata }: KubeObject): OwnedObject {
  return {
    resource,
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    owners: metadata.ownerReferences ?? [],
    finalizers: metadata.finalizers ?? [],
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
  };
}

/** Whether the object waits for what it owns to be deleted. */
export function awaitsDependents({ finalizers, isBeingDeleted }: OwnedObject): boolean {
  return isBeingDeleted && finalizers.includes(FOREGROUND_FINALIZER);
}

/** Whether the object waits for what it owns to let go of it. */
export function awaitsOrphaning({ finalizers, isBeingDeleted }: OwnedObject): boolean {
  return isBeingDeleted && finalizers.includes(ORPHAN_FINALIZER);
}

/** Whether `object` keeps the owner with that uid from being deleted in the foreground. */
export function blocks(object: OwnedObject, ownerUid: string): boolean {
  return object.owners.some(({ uid, blockOwnerDeletion }) =>
    uid === ownerUid && blockOwnerDeletion === true
  );
}

/** Whether a resource serves the kind of an owner, in whatever version. */
export function isOfKind(
  resource: ResourceDescriptor,
  { apiVersion, kind }: Pick<OwnerReference, "apiVersion" | "kind">,
): boolean {
  const slash = apiVersion.indexOf("/");
  return resource.kind === kind && resource.group === apiVersion.slice(0, Math.max(slash, 0));
}

/** Which objects there are and which of them say that they are owned by which. */
export class OwnerGraph {
  readonly #objects = new Map<string, OwnedObject>();
  /** By the uid of an owner, which need not exist, the uids of what it owns. */
  readonly #dependents = new Map<string, Set<string>>();

  /** The object with that uid. */
  get(uid: string): OwnedObject | undefined {
    return this.#objects.get(uid);
  }

  /** Puts an object in; returns what it replaces. */
  set(object: OwnedObject): OwnedObject | undefined {
    const previous = this.delete(object.uid);
    this.#objects.set(object.uid, object);
    for (const { uid } of object.owners) {
      const dependents = this.#dependents.get(uid);
      if (dependents === undefined) this.#dependents.set(uid, new Set([object.uid]));
      else dependents.add(object.uid);
    }
    return previous;
  }

  /** Takes an object out. */
  delete(uid: string): OwnedObject | undefined {
    const object = this.#objects.get(uid);
    if (object === undefined) return undefined;
    this.#objects.delete(uid);
    for (const owner of object.owners) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
    return object;
  }

  /** All objects of a resource. */
  ofResource(resource: ResourceDescriptor): OwnedObject[] {
    return [...this.#objects.values()].filter((object) => object.resource === resource);
  }

  /** The objects that refer to an owner with that uid. */
  dependents(uid: string): OwnedObject[] {
    return Array.from(this.#dependents.get(uid) ?? [], (one) => this.#objects.get(one)!);
  }

  /** Whether the owner that `reference` of `object` names is known, under that very name and kind. */
  knowsOwner(object: OwnedObject, reference: OwnerReference): boolean {
    const owner = this.#objects.get(reference.uid);
    return owner !== undefined && owner.name === reference.name &&
      isOfKind(owner.resource, reference) &&
      (owner.namespace === "" || owner.namespace === object.namespace);
  }
}
