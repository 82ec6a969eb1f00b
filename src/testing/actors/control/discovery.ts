import { parseJson } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import type { ResourceDescriptor } from "@kubeloop/controller/types";

/** A resource that the API server serves. */
export interface ServedResource extends ResourceDescriptor {
  /** The supported verbs, such as `list`. */
  readonly verbs: readonly string[];
}

/** An APIGroupDiscovery: a group with its versions, the preferred one first. */
interface ApiGroup {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly {
    readonly version: string;
    readonly resources?: readonly ApiResource[];
  }[];
}

interface ApiResource {
  readonly resource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: "Cluster" | "Namespaced";
  readonly verbs: readonly string[];
}

/** Everything at once, as kube-controller-manager asks for it: else each version of each group is a request. */
const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/**
 * Returns all resources that the API server serves, in the order of discovery. A resource of several versions is
 * returned once: in the preferred version of its group if that version serves the resource.
 */
export async function discoverResources(
  client: Client,
  call: { readonly signal?: AbortSignal } = {},
): Promise<ServedResource[]> {
  const read = async (path: string) => {
    const text = await client.getRaw(path, { ...call, accept: AGGREGATED });
    return (parseJson(text) as { items: ApiGroup[] }).items;
  };
  const groups = (await Promise.all([read("/api"), read("/apis")])).flat();
  const byName = new Map<string, ServedResource>();
  for (const { metadata: { name: group = "" }, versions } of groups) {
    for (const { version, resources = [] } of versions) {
      for (const { resource: plural, responseKind: { kind }, scope, verbs } of resources) {
        const key = `${group}/${plural}`;
        if (byName.has(key)) continue;
        byName.set(key, {
          group,
          version,
          plural,
          kind,
          namespaced: scope === "Namespaced",
          verbs,
        });
      }
    }
  }
  return [...byName.values()];
}
