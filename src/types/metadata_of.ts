import type { KubeObject } from "./meta.ts";
import type { Resource, ResourceDescriptor } from "./resource.ts";

/** The metadata of an object of any kind, without the rest of it. */
export interface PartialObjectMetadata extends KubeObject {
  /** Of this form, not of the object. */
  apiVersion?: "meta.k8s.io/v1";
  /** Of this form, not of the object. */
  kind?: "PartialObjectMetadata";
}

/**
 * The same resource, of whose objects only the metadata is wanted: the server leaves out everything else. An informer of it
 * takes a fraction of the memory and of the CPU, and is all that those need who only look at names, labels, annotations or
 * owners (client-go has `metadatainformer` for that).
 *
 * What is read comes as metadata: get, list, watch, patch. Such an object cannot be written back; change it by a patch.
 * A server that cannot leave anything out sends whole objects.
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
