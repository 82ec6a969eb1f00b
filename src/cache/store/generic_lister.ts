import type { Logger } from "../../base/mod.ts";
import {
  type DeepReadonly,
  type KubeObject,
  type ResourceDescriptor,
  resourceName,
  StatusError,
} from "../../types/mod.ts";
import type { ReadonlyIndexer } from "./indexer.ts";
import { listAll, listAllByNamespace, type ListSelector } from "./list_all.ts";

/** Options of a {@linkcode GenericLister}. */
export interface GenericListerOptions {
  /** Receives a warning if the indexer has no index by namespace. Default: warnings and errors go to the console. */
  readonly logger?: Logger | undefined;
}

/**
 * Reads an informer's cache with the semantics of the API: lists objects by label selector, gets an object by name, and
 * throws `NotFound` for an object that does not exist. The objects belong to the cache: treat them as read-only.
 *
 * @typeParam T The interface of the objects.
 *
 * @example
 * ```ts
 * import { GenericLister, metaNamespaceKeyFunc, newIndexer } from "@kubeloop/controller/cache";
 * import { isNotFound, type Pod, Pods } from "@kubeloop/controller/types";
 * import { assert, assertEquals, assertThrows } from "@std/assert";
 *
 * const indexer = newIndexer<Pod>(metaNamespaceKeyFunc);
 * indexer.add({ metadata: { namespace: "x", name: "a", labels: { app: "web" } } });
 *
 * const lister = new GenericLister(indexer, Pods);
 * assertEquals(lister.list("app in (web)").length, 1);
 * assertEquals(lister.byNamespace("x").get("a").metadata.name, "a");
 * assert(isNotFound(assertThrows(() => lister.byNamespace("x").get("b"))));
 * ```
 */
export class GenericLister<T extends DeepReadonly<KubeObject>> {
  readonly #indexer: ReadonlyIndexer<T>;
  readonly #resource: ResourceDescriptor;
  readonly #options: GenericListerOptions;

  /** Creates a lister that reads `indexer`, which holds objects of `resource`. */
  constructor(
    indexer: ReadonlyIndexer<T>,
    resource: ResourceDescriptor,
    options: GenericListerOptions = {},
  ) {
    this.#indexer = indexer;
    this.#resource = resource;
    this.#options = options;
  }

  /**
   * Returns the objects of all namespaces that match `selector`; all objects if it is omitted.
   *
   * @throws {SyntaxError | TypeError} When the selector is not valid.
   */
  list(selector?: ListSelector): T[] {
    return listAll(this.#indexer, selector);
  }

  /**
   * Returns the cluster-scoped object called `name`. More exactly, it returns the object with the key `name`.
   *
   * @throws {StatusError} With reason `NotFound`, when no such object exists.
   */
  get(name: string): T {
    return getOrThrow(this.#indexer, name, { resource: this.#resource, name });
  }

  /** Returns a lister of one namespace. */
  byNamespace(namespace: string): GenericNamespaceLister<T> {
    return new NamespaceLister(this.#indexer, this.#resource, { ...this.#options, namespace });
  }
}

/** Reads the objects of one namespace from an informer's cache. */
export interface GenericNamespaceLister<T extends DeepReadonly<KubeObject>> {
  /**
   * Returns the objects of the namespace that match `selector`; all of them if it is omitted.
   *
   * @throws {SyntaxError | TypeError} When the selector is not valid.
   */
  list(selector?: ListSelector): T[];
  /**
   * Returns the object of the namespace called `name`.
   *
   * @throws {StatusError} With reason `NotFound`, when no such object exists.
   */
  get(name: string): T;
}

class NamespaceLister<T extends DeepReadonly<KubeObject>> implements GenericNamespaceLister<T> {
  readonly #indexer: ReadonlyIndexer<T>;
  readonly #resource: ResourceDescriptor;
  readonly #namespace: string;
  readonly #logger: Logger | undefined;

  constructor(
    indexer: ReadonlyIndexer<T>,
    resource: ResourceDescriptor,
    options: GenericListerOptions & { readonly namespace: string },
  ) {
    this.#indexer = indexer;
    this.#resource = resource;
    this.#namespace = options.namespace;
    this.#logger = options.logger;
  }

  list(selector?: ListSelector): T[] {
    return listAllByNamespace(this.#indexer, this.#namespace, { selector, logger: this.#logger });
  }

  get(name: string): T {
    return getOrThrow(this.#indexer, `${this.#namespace}/${name}`, {
      resource: this.#resource,
      name,
    });
  }
}

function getOrThrow<T>(
  indexer: ReadonlyIndexer<T>,
  key: string,
  missing: { readonly resource: ResourceDescriptor; readonly name: string },
): T {
  const obj = indexer.getByKey(key);
  if (obj !== undefined) return obj;
  const { resource, name } = missing;
  throw new StatusError({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    message: `${resourceName(resource)} ${JSON.stringify(name)} not found`,
    reason: "NotFound",
    details: { group: resource.group, kind: resource.plural, name },
    code: 404,
  });
}
