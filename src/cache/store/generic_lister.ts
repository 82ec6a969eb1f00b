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
  /** Told when there is no index by namespace. Default: warnings go to the console. */
  readonly logger?: Logger | undefined;
}

/**
 * Reads an informer's cache the way one reads the API: lists by label, one object by name, and `NotFound` for what is not
 * there. The objects are those of the cache: read-only.
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

  /** Reads `indexer`, which holds objects of `resource`. */
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
   * The objects of all namespaces that `selector` selects; all without one.
   *
   * @throws {SyntaxError | TypeError} When the selector is not valid.
   */
  list(selector?: ListSelector): T[] {
    return listAll(this.#indexer, selector);
  }

  /**
   * The cluster-scoped object called `name`. (More exactly: the one with that key.)
   *
   * @throws {StatusError} With reason `NotFound`, when there is none.
   */
  get(name: string): T {
    return getOrThrow(this.#indexer, name, { resource: this.#resource, name });
  }

  /** Reads one namespace. */
  byNamespace(namespace: string): GenericNamespaceLister<T> {
    return new NamespaceLister(this.#indexer, this.#resource, { ...this.#options, namespace });
  }
}

/** Reads the objects of one namespace. */
export interface GenericNamespaceLister<T extends DeepReadonly<KubeObject>> {
  /**
   * The objects of the namespace that `selector` selects; all without one.
   *
   * @throws {SyntaxError | TypeError} When the selector is not valid.
   */
  list(selector?: ListSelector): T[];
  /**
   * The object of the namespace called `name`.
   *
   * @throws {StatusError} With reason `NotFound`, when there is none.
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
