import { isRecord } from "../base/mod.ts";
import type { KubeList, KubeObject } from "./minimal/mod.ts";

/** The suffix of the kinds of typed lists, as in `PodList`. */
const SUFFIX = "List";

/**
 * Gives the items of a list their `kind` and `apiVersion`, which the API server leaves out in lists of built-in kinds and
 * sends with every object of a watch. Both come from the list: the items of a `PodList` are Pods.
 *
 * Items that have a kind keep it. The items of a list whose kind is `List`, or does not end in `List`, are left unchanged.
 *
 * @typeParam T The interface of the items.
 * @param list The list; it is not changed.
 * @returns The list with new items, or `list` itself if no item lacks its kind.
 *
 * @example
 * ```ts
 * import { fillInKind } from "@kubeloop/controller/types";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const { items } = fillInKind<Pod>({
 *   kind: "PodList",
 *   apiVersion: "v1",
 *   metadata: { resourceVersion: "7" },
 *   items: [{ metadata: { name: "web" } }],
 * });
 * assertEquals(items, [{ kind: "Pod", apiVersion: "v1", metadata: { name: "web" } }]);
 * ```
 */
export function fillInKind<T extends KubeObject>(list: KubeList<T>): KubeList<T> {
  const { apiVersion, items } = list;
  const kind = itemKindOf(list.kind);
  if (kind === undefined || !apiVersion || typeof apiVersion !== "string") return list;
  if (!Array.isArray(items)) return list;
  let filled: T[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as T;
    if (!isRecord(item) || item.kind) continue;
    filled ??= items.slice();
    filled[i] = withType(item, kind, apiVersion);
  }
  return filled === undefined ? list : { ...list, items: filled };
}

/**
 * Sets the kind and the API version of an object that has no kind.
 *
 * @internal
 */
export function withType<T extends KubeObject>(object: T, kind: string, apiVersion: string): T {
  if (object.kind) return object;
  // First, as in the objects of a watch. A literal gives all items one hidden class.
  const typed = { kind, apiVersion, ...object };
  // The object may have an empty kind or apiVersion.
  typed.kind = kind;
  typed.apiVersion ||= apiVersion;
  return typed;
}

/**
 * Returns the kind of the items of a list.
 *
 * @param listKind The kind of the list, as in `PodList`.
 * @returns The kind, as in `Pod`; undefined if the kind of the list does not tell, as in `List`.
 *
 * @example
 * ```ts
 * import { itemKindOf } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals([itemKindOf("PodList"), itemKindOf("List")], ["Pod", undefined]);
 * ```
 */
export function itemKindOf(listKind: string | undefined): string | undefined {
  // A server may send anything.
  if (typeof listKind !== "string" || !listKind.endsWith(SUFFIX) || listKind === SUFFIX) {
    return undefined;
  }
  return listKind.slice(0, -SUFFIX.length);
}
