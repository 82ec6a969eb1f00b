import type { Client } from "@kubeloop/controller/client";
import { isNotFound, type ResourceDescriptor } from "@kubeloop/controller/types";

/** A resource that the API server serves. */
export interface ServedResource extends ResourceDescriptor {
  /** The supported verbs, such as `list`. */
  readonly verbs: readonly string[];
}

interface ApiGroup {
  name: string;
  versions: { groupVersion: string; version: string }[];
  preferredVersion: { groupVersion: string; version: string };
}

interface ApiResource {
  name: string;
  kind: string;
  namespaced: boolean;
  verbs: string[];
}

/**
 * Returns all resources that the API server serves, in the order of discovery. A resource of several versions is
 * returned once: in the preferred version of its group if that version serves the resource.
 */
export async function discoverResources(
  client: Client,
  call: { readonly signal?: AbortSignal } = {},
): Promise<ServedResource[]> {
  const { groups } = JSON.parse(await client.getRaw("/apis", call)) as { groups: ApiGroup[] };
  const found = await Promise.all([
    resourcesAt(client, "/api/v1", { group: "", version: "v1" }, call),
    ...groups.flatMap(({ name, versions, preferredVersion }) => {
      const others = versions.filter(({ version }) => version !== preferredVersion.version);
      return [preferredVersion, ...others].map(({ groupVersion, version }) =>
        resourcesAt(client, `/apis/${groupVersion}`, { group: name, version }, call)
      );
    }),
  ]);
  const byName = new Map<string, ServedResource>();
  for (const resource of found.flat()) {
    const key = `${resource.group}/${resource.plural}`;
    if (!byName.has(key)) byName.set(key, resource);
  }
  return [...byName.values()];
}

async function resourcesAt(
  client: Client,
  path: string,
  version: { group: string; version: string },
  call: { readonly signal?: AbortSignal },
): Promise<ServedResource[]> {
  let text: string;
  try {
    text = await client.getRaw(path, call);
  } catch (error) {
    // The group version was removed after it was listed.
    if (isNotFound(error)) return [];
    throw error;
  }
  const { resources } = JSON.parse(text) as { resources: ApiResource[] };
  return resources
    .filter(({ name }) => !name.includes("/"))
    .map(({ name, kind, namespaced, verbs }) => ({
      ...version,
      plural: name,
      kind,
      namespaced,
      verbs,
    }));
}
