import { type Logger, safeLogger } from "../../base/mod.ts";
import {
  type DeepReadonly,
  type KubeObject,
  type LabelSelector,
  labelSelectorAsSelector,
  parseSelector,
  Selector,
} from "../../types/mod.ts";
import { NAMESPACE_INDEX } from "./index_funcs.ts";
import type { ReadonlyIndexer } from "./indexer.ts";
import type { ReadonlyStore } from "./store.ts";

/** A label selector: a {@linkcode Selector}, a {@linkcode LabelSelector}, or text such as `app=web`. */
export type ListSelector = Selector | LabelSelector | string;

/**
 * Returns the objects of a store that match a selector; all objects if the selector is omitted.
 *
 * @throws {SyntaxError | TypeError} When the selector is not valid.
 *
 * @example
 * ```ts
 * import { listAll, metaNamespaceKeyFunc, newStore } from "@kubeloop/controller/cache";
 * import type { KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const store = newStore<KubeObject>(metaNamespaceKeyFunc);
 * store.add({ metadata: { name: "a", labels: { app: "web" } } });
 * store.add({ metadata: { name: "b" } });
 * assertEquals(listAll(store, "app=web").length, 1);
 * assertEquals(listAll(store).length, 2);
 * ```
 */
export function listAll<T extends DeepReadonly<KubeObject>>(
  store: ReadonlyStore<T>,
  selector?: ListSelector,
): T[] {
  const ready = asSelector(selector);
  if (ready.matchesNothing) return [];
  if (ready.isEmpty()) return store.list();
  if (canSelect(store)) return store.select(ready);
  return select(store.list(), ready);
}

/** Options of {@linkcode listAllByNamespace}. */
export interface ListAllByNamespaceOptions {
  /** Selects objects of the namespace by label. Default: all objects. */
  readonly selector?: ListSelector | undefined;
  /** Receives a warning if the indexer has no index by namespace. Default: warnings and errors go to the console. */
  readonly logger?: Logger | undefined;
}

/**
 * Returns the objects of one namespace that match a selector. An empty `namespace` means all namespaces.
 *
 * The function looks up the objects in the index {@linkcode NAMESPACE_INDEX}. If the indexer has no such index, the
 * function logs a warning and scans all objects.
 *
 * @throws {SyntaxError | TypeError} When the selector is not valid.
 *
 * @example
 * ```ts
 * import {
 *   listAllByNamespace,
 *   metaNamespaceIndexFunc,
 *   metaNamespaceKeyFunc,
 *   NAMESPACE_INDEX,
 *   newIndexer,
 * } from "@kubeloop/controller/cache";
 * import type { KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const indexer = newIndexer<KubeObject>(metaNamespaceKeyFunc, {
 *   [NAMESPACE_INDEX]: metaNamespaceIndexFunc,
 * });
 * indexer.add({ metadata: { namespace: "x", name: "a" } });
 * indexer.add({ metadata: { namespace: "y", name: "a" } });
 * assertEquals(listAllByNamespace(indexer, "x").length, 1);
 * assertEquals(listAllByNamespace(indexer, "").length, 2);
 * ```
 */
export function listAllByNamespace<T extends DeepReadonly<KubeObject>>(
  indexer: ReadonlyIndexer<T>,
  namespace: string,
  options: ListAllByNamespaceOptions = {},
): T[] {
  if (namespace === "") return listAll(indexer, options.selector);
  const selector = asSelector(options.selector);
  if (selector.matchesNothing) return [];
  if (!selector.isEmpty() && canSelect(indexer) && hasNamespaceIndex(indexer)) {
    return indexer.select(selector, namespace);
  }
  return select(objectsIn(indexer, namespace, safeLogger(options.logger)), selector);
}

function objectsIn<T extends DeepReadonly<KubeObject>>(
  indexer: ReadonlyIndexer<T>,
  namespace: string,
  logger: Logger,
): T[] {
  if (hasNamespaceIndex(indexer)) return indexer.byIndex(NAMESPACE_INDEX, namespace);
  logger.warn(
    `Listing namespace "${namespace}" scans all objects: ` +
      `add an index "${NAMESPACE_INDEX}" to the indexer`,
  );
  return indexer.list().filter((obj) => (obj.metadata.namespace ?? "") === namespace);
}

function hasNamespaceIndex<T>(indexer: ReadonlyIndexer<T>): boolean {
  return Object.hasOwn(indexer.getIndexers(), NAMESPACE_INDEX);
}

/** An indexer that selects objects by their labels without parsing the others: the cache of an informer. */
export interface SelectingIndexer<T> extends ReadonlyIndexer<T> {
  /** Returns the objects whose labels match. For a namespace, the indexer has an index by namespace. */
  select(selector: Selector, namespace?: string): T[];
}

function canSelect<T>(store: ReadonlyStore<T>): store is SelectingIndexer<T> {
  return "select" in store;
}

function select<T extends DeepReadonly<KubeObject>>(objects: T[], selector: Selector): T[] {
  if (selector.isEmpty()) return objects;
  return objects.filter((obj) => selector.matches(obj.metadata.labels));
}

function asSelector(selector: ListSelector | undefined): Selector {
  if (selector === undefined) return Selector.everything;
  if (typeof selector === "string") return parseSelector(selector);
  return isReady(selector) ? selector : labelSelectorAsSelector(selector);
}

function isReady(selector: Selector | LabelSelector): selector is Selector {
  return typeof (selector as Selector).matches === "function";
}
