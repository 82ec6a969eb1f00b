import { DeletedFinalStateUnknown, type SharedInformer } from "@kubeloop/controller/cache";
import {
  type Cached,
  controllerOf,
  type DeepReadonly,
  type KubeObject,
  type LabelSelector,
  labelSelectorAsSelector,
  type Resource,
} from "@kubeloop/controller/types";
import { claim } from "./claim.ts";
import type { Expectations } from "./expectations.ts";
import { isBeingDeleted } from "./pod_facts.ts";
import { isSame } from "./is_same.ts";
import type { Reconciler } from "./reconciler.ts";

/** The name of the index of objects by the uid of their controller owner; orphans are under their namespace. */
const INDEX = "controller";

/** An owner; one without `spec.selector` adopts nothing. */
type Owner = KubeObject & { readonly spec?: object };

/**
 * The objects that the objects of a reconciler own, such as the Pods of ReplicaSets. An owner is reconciled when one of
 * its objects changes, or when an orphan appears that its selector matches.
 */
export class Ownership<T extends Owner, D extends KubeObject> {
  /** The cache of the owned objects, and of all others of their resource. */
  readonly informer: SharedInformer<D>;
  readonly #reconciler: Reconciler<T>;
  readonly #owner: Resource<T>;
  readonly #resource: Resource<D>;
  readonly #expectations: Expectations | undefined;
  readonly #finalizers: readonly string[] | undefined;

  /** Starts to watch `resource` for the owners of `reconciler`. */
  constructor(
    reconciler: Reconciler<T>,
    options: {
      /** The resource of the owners. */
      readonly owner: Resource<T>;
      /** The resource of the owned objects. */
      readonly resource: Resource<D>;
      /** Learn what the cache shows. Default: none. */
      readonly expectations?: Expectations;
      /** The finalizers that adopted objects get. Default: none. */
      readonly finalizers?: readonly string[];
    },
  ) {
    this.#reconciler = reconciler;
    this.#owner = options.owner;
    this.#resource = options.resource;
    this.#expectations = options.expectations;
    this.#finalizers = options.finalizers;
    this.informer = reconciler.related(options.resource);
    indexByController(this.informer);
    this.informer.addEventHandler({
      onAdd: (object) => this.#added(object),
      onUpdate: (old, object) => this.#updated(old, object),
      onDelete: (last) => {
        const object = DeletedFinalStateUnknown.lastKnownState(last);
        if (object !== undefined) this.#deleted(object);
      },
    });
  }

  /** Returns the objects that the owner controls, whatever their labels. */
  of(owner: DeepReadonly<KubeObject>): Cached<D>[] {
    return controlledBy(this.informer, owner);
  }

  /**
   * Adopts the orphans that match the selector of the owner, and releases the objects that no longer do.
   *
   * @returns The objects of the owner.
   */
  async claim(owner: Cached<T>, signal: AbortSignal): Promise<Cached<D>[]> {
    return await claim({
      client: this.#reconciler.client,
      owner,
      ownerResource: this.#owner,
      resource: this.#resource,
      owned: this.of(owner),
      orphans: this.informer.indexer.byIndex(INDEX, orphansOf(owner)),
      finalizers: this.#finalizers,
      signal,
    });
  }

  #added(object: Cached<D>): void {
    // A restarted controller may see an object first when it is being deleted.
    if (isBeingDeleted(object)) return this.#deleted(object);
    const owner = controllerOf(object, this.#owner);
    if (owner === undefined) return this.#orphan(object);
    this.#expectations?.creationObserved(owner.uid);
    this.#enqueue(object, owner.name);
  }

  #updated(old: Cached<D>, object: Cached<D>): void {
    if (old.metadata.uid !== object.metadata.uid) {
      this.#deleted(old);
      return this.#added(object);
    }
    const [before, owner] = [controllerOf(old, this.#owner), controllerOf(object, this.#owner)];
    if (before !== undefined && before.uid !== owner?.uid) this.#enqueue(old, before.name);
    if (owner !== undefined) {
      if (isBeingDeleted(object)) this.#expectations?.deletionObserved(owner.uid, uidOf(object));
      return this.#enqueue(object, owner.name);
    }
    const isNewOrphan = before !== undefined ||
      !isSame(old.metadata.labels, object.metadata.labels);
    if (isNewOrphan) this.#orphan(object);
  }

  #deleted(object: Cached<D>): void {
    const owner = controllerOf(object, this.#owner);
    if (owner === undefined) return;
    this.#expectations?.deletionObserved(owner.uid, uidOf(object));
    this.#enqueue(object, owner.name);
  }

  #orphan(object: Cached<D>): void {
    if (controllerOf(object) !== undefined) return;
    const { labels, namespace = "" } = object.metadata;
    for (const owner of this.#reconciler.objects.indexer.byIndex("namespace", namespace)) {
      const { selector } = (owner.spec ?? {}) as { readonly selector?: LabelSelector };
      if (labelSelectorAsSelector(selector).matches(labels)) {
        this.#enqueue(object, owner.metadata.name);
      }
    }
  }

  #enqueue({ metadata }: Cached<D>, owner: string): void {
    this.#reconciler.enqueue(`${metadata.namespace}/${owner}`);
  }
}

/** Makes {@linkcode controlledBy} work for an informer, which several actors may share. */
export function indexByController<D extends KubeObject>(informer: SharedInformer<D>): void {
  if (INDEX in informer.indexer.getIndexers()) return;
  informer.addIndexers({ [INDEX]: (object) => [indexValue(object as Cached<KubeObject>)] });
}

/** Returns the cached objects whose controller owner is `owner`. */
export function controlledBy<D extends KubeObject>(
  informer: SharedInformer<D>,
  owner: DeepReadonly<KubeObject>,
): Cached<D>[] {
  return informer.indexer.byIndex(INDEX, owner.metadata.uid ?? "");
}

function uidOf({ metadata }: DeepReadonly<KubeObject>): string {
  return metadata.uid ?? "";
}

function indexValue(object: Cached<KubeObject>): string {
  return controllerOf(object)?.uid ?? orphansOf(object);
}

/** A slash cannot be in a uid. */
function orphansOf({ metadata }: DeepReadonly<KubeObject>): string {
  return `/${metadata.namespace}`;
}
