import type { KubeObject, Resource, ResourceDescriptor } from "./minimal/mod.ts";

/** The metadata of an object of any kind, without the rest of the object. */
export interface PartialObjectMetadata extends KubeObject {
  /** The API version of `PartialObjectMetadata` itself, not that of the object. */
  apiVersion?: "meta.k8s.io/v1";
  /** The kind `PartialObjectMetadata` itself, not the kind of the object. */
  kind?: "PartialObjectMetadata";
}

/**
 * Returns a descriptor of the same resource for which the server sends only the metadata of objects. An informer of it
 * needs a fraction of the memory and CPU. Use it if names, labels, annotations or owners are all that you read
 * (client-go has `metadatainformer` for that).
 *
 * Get, list, watch and patch return metadata. Such an object cannot be written back; change the object with a patch. A
 * server that does not support metadata-only responses sends whole objects.
 *
 * @param resource The resource.
 * @returns A descriptor for clients and informers.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { metadataOf, Pods } from "@kubeloop/controller/types";
 * import { assertMatch } from "@std/assert";
 *
 * const fetch = (request: Request) => {
 *   assertMatch(request.headers.get("accept") ?? "", /as=PartialObjectMetadata;/);
 *   return Promise.resolve(Response.json({ metadata: { name: "web", labels: { app: "web" } } }));
 * };
 * await using client = new Client({ fetch });
 * const { metadata } = await client.get(metadataOf(Pods), "web", { namespace: "default" });
 * metadata.labels;
 * ```
 */
export function metadataOf(resource: ResourceDescriptor): Resource<PartialObjectMetadata> {
  const { group, version, plural, kind, namespaced } = resource;
  return Object.freeze({ group, version, plural, kind, namespaced, metadataOnly: true });
}
