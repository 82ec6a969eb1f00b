import type {
  DeepReadonly,
  KubeObject,
  OwnerReference,
  ResourceDescriptor,
} from "@kubeloop/controller/types";

/** The finalizer of a foreground deletion: keeps an object until no dependent blocks its deletion. */
export const FOREGROUND_FINALIZER = "foregroundDeletion";
/** The finalizer of an orphaning deletion: keeps an object until its dependents no longer refer to it. */
export const ORPHAN_FINALIZER = "orphan";

/** The part of an object that the garbage collector keeps. */
export interface OwnedObject {
  readonly resource: ResourceDescriptor;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly isBeingDeleted: boolean;
}

/** Extracts the part of `object` that the garbage collector keeps. */
export function ownedObject(
  resource: ResourceDescriptor,
  { metadata }: DeepReadonly<KubeObject>,
): OwnedObject {
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

/** Reports whether the object is in foreground deletion and waits for its dependents to be deleted. */
export function awaitsDependents({ finalizers, isBeingDeleted }: OwnedObject): boolean {
  return isBeingDeleted && finalizers.includes(FOREGROUND_FINALIZER);
}

/** Reports whether the object is being deleted and waits for its dependents to be orphaned. */
export function awaitsOrphaning({ finalizers, isBeingDeleted }: OwnedObject): boolean {
  return isBeingDeleted && finalizers.includes(ORPHAN_FINALIZER);
}

/** Reports whether `object` blocks the foreground deletion of the owner with that uid. */
export function blocks(object: OwnedObject, ownerUid: string): boolean {
  return object.owners.some(({ uid, blockOwnerDeletion }) =>
    uid === ownerUid && blockOwnerDeletion === true
  );
}

/** Reports whether a resource serves the kind of an owner, in any version. */
export function isOfKind(
  resource: ResourceDescriptor,
  { apiVersion, kind }: Pick<OwnerReference, "apiVersion" | "kind">,
): boolean {
  const slash = apiVersion.indexOf("/");
  return resource.kind === kind && resource.group === apiVersion.slice(0, Math.max(slash, 0));
}

/** The known objects, with the owner references between them. */
export class OwnerGraph {
  readonly #objects = new Map<string, OwnedObject>();
  /** The uids of the dependents, by the uid of their owner, which need not exist. */
  readonly #dependents = new Map<string, Set<string>>();

  /** Returns the object with that uid. */
  get(uid: string): OwnedObject | undefined {
    return this.#objects.get(uid);
  }

  /** Adds or replaces an object; returns the previous state of the object. */
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

  /** Removes an object and returns it. */
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

  /** Returns all objects of a resource. */
  ofResource(resource: ResourceDescriptor): OwnedObject[] {
    return [...this.#objects.values()].filter((object) => object.resource === resource);
  }

  /** Returns the objects that refer to the owner with that uid. */
  dependents(uid: string): OwnedObject[] {
    return Array.from(this.#dependents.get(uid) ?? [], (one) => this.#objects.get(one)!);
  }

  /** Reports whether the owner that `reference` of `object` names is known, with the same name, kind and namespace. */
  knowsOwner(object: OwnedObject, reference: OwnerReference): boolean {
    const owner = this.#objects.get(reference.uid);
    return owner !== undefined && owner.name === reference.name &&
      isOfKind(owner.resource, reference) &&
      (owner.namespace === "" || owner.namespace === object.namespace);
  }
}
