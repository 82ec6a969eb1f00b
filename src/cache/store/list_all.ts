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

/** Which objects to list: a {@linkcode Selector}, a {@linkcode LabelSelector}, or text such as `app=web`. */
export type ListSelector = Selector | LabelSelector | string;

/**
 * The objects of a store that a selector selects; all of them without one.
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
  if (knowsLabels(store)) return selectByKey(store, store.listKeys(), ready);
  return select(store.list(), ready);
}

/** Options of {@linkcode listAllByNamespace}. */
export interface ListAllByNamespaceOptions {
  /** Which of its objects. Default: all. */
  readonly selector?: ListSelector | undefined;
  /** Told when there is no index by namespace. Default: warnings go to the console. */
  readonly logger?: Logger | undefined;
}

/**
 * The objects of one namespace that a selector selects; those of all namespaces when it is empty.
 *
 * It looks in the index {@linkcode NAMESPACE_INDEX}. Where there is none it warns and goes through all objects.
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
  if (!selector.isEmpty() && knowsLabels(indexer) && hasNamespaceIndex(indexer)) {
    return selectByKey(indexer, indexer.indexKeys(NAMESPACE_INDEX, namespace), selector);
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
    `Listing namespace "${namespace}" goes through all objects: ` +
      `give the indexer an index "${NAMESPACE_INDEX}"`,
  );
  return indexer.list().filter((obj) => (obj.metadata.namespace ?? "") === namespace);
}

function hasNamespaceIndex<T>(indexer: ReadonlyIndexer<T>): boolean {
  return Object.hasOwn(indexer.getIndexers(), NAMESPACE_INDEX);
}

/** A store that can tell labels without making the object, as a compact cache can. */
interface LabelStore<T> extends ReadonlyStore<T> {
  /** The labels of the object that has `key`. */
  labelsOf(key: string): Readonly<Record<string, string>> | undefined;
}

function knowsLabels<T>(store: ReadonlyStore<T>): store is LabelStore<T> {
  return "labelsOf" in store;
}

/** Only what is selected is made. */
function selectByKey<T>(store: LabelStore<T>, keys: readonly string[], selector: Selector): T[] {
  return keys
    .filter((key) => selector.matches(store.labelsOf(key)))
    .map((key) => store.getByKey(key) as T);
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
