import { ListPager } from "../pager/mod.ts";
import {
  apiVersionOf,
  type KubeList,
  type KubeObject,
  metadataOf,
  type ResourceDescriptor,
  resourceName,
} from "../types/mod.ts";
import { listPage, type ListPageOptions } from "./lister_watcher.ts";
import {
  type ApiRequest,
  callOptions,
  collectionPath,
  deleteBody,
  type DeleteCollectionOptions,
  parseList,
  type Requester,
  requireBoolean,
  requireSelectors,
  toQuery,
} from "./request/mod.ts";

/**
 * Deletes the objects that match the selectors: in one namespace, in all namespaces, or of a cluster-scoped resource.
 */
export async function deleteCollection<T extends KubeObject>(
  requester: Requester,
  resource: ResourceDescriptor,
  options: DeleteCollectionOptions,
): Promise<KubeList<T>> {
  const path = collectionPath(resource, options.namespace);
  const isEverywhere = requireScope(resource, options);
  const selectors = requireSelectors(options);
  const call = callOptions(options);
  const request = {
    method: "DELETE",
    query: toQuery({ ...selectors }),
    body: deleteBody(options),
    ...call,
  } as const;
  if (!isEverywhere) return await deleteAt<T>(requester, { ...request, path });

  // The API deletes collections only in a single namespace.
  return await requester.call({ what: `DELETE ${path}`, ...call }, async (within) => {
    const { maxRetries } = call;
    const namespaces = await namespacesOf(requester, resource, {
      ...selectors,
      maxRetries,
      within,
    });
    let all: KubeList<T> = {
      kind: `${resource.kind}List`,
      apiVersion: apiVersionOf(resource),
      metadata: {},
      items: [],
    };
    for (const namespace of namespaces) {
      const path = collectionPath(resource, namespace);
      const deleted = await deleteAt<T>(requester, { ...request, path, within });
      all = { ...deleted, items: all.items.concat(deleted.items) };
    }
    return all;
  });
}

async function deleteAt<T extends KubeObject>(
  requester: Requester,
  request: ApiRequest,
): Promise<KubeList<T>> {
  const answer = await requester.bytes(request);
  return parseList<T>(answer.response, answer.body, answer);
}

/** Lists the objects and returns their namespaces. */
async function namespacesOf(
  requester: Requester,
  resource: ResourceDescriptor,
  options: ListPageOptions,
): Promise<Set<string>> {
  const pager = new ListPager((page) =>
    listPage(requester, metadataOf(resource), { ...page, ...options })
  );
  const { list } = await pager.list({}, { signal: options.within?.signal });
  return new Set(list.items.map(({ metadata }) => metadata.namespace ?? ""));
}

/**
 * Reports whether to delete in all namespaces.
 *
 * @throws {TypeError} If the namespace and `allNamespaces` do not match each other or the scope of the resource.
 */
function requireScope(
  resource: ResourceDescriptor,
  { namespace, allNamespaces }: DeleteCollectionOptions,
): boolean {
  const isEverywhere = requireBoolean("allNamespaces", allNamespaces) ?? false;
  const name = resourceName(resource);
  if (isEverywhere && !resource.namespaced) {
    throw new TypeError(
      `Cannot delete ${name} in all namespaces: the resource is cluster-scoped, leave allNamespaces out`,
    );
  }
  if (isEverywhere && namespace !== undefined) {
    throw new TypeError(
      `Cannot delete ${name} in one namespace and in all: give namespace or allNamespaces`,
    );
  }
  if (resource.namespaced && !isEverywhere && namespace === undefined) {
    throw new TypeError(
      `Missing namespace for ${name}: give { namespace }, or { allNamespaces: true } to delete in all namespaces`,
    );
  }
  return isEverywhere;
}
