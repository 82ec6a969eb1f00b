import type { ResourceDescriptor } from "../../types/mod.ts";

/** The `Accept` of a request that is answered with an object of `resource`, or with a watch; undefined for the usual one. */
export function acceptObject(resource: ResourceDescriptor): string | undefined {
  return accept(resource, "PartialObjectMetadata");
}

/** The `Accept` of a request that is answered with a list of objects of `resource`; undefined for the usual one. */
export function acceptList(resource: ResourceDescriptor): string | undefined {
  return accept(resource, "PartialObjectMetadataList");
}

function accept({ metadataOnly }: ResourceDescriptor, form: string): string | undefined {
  // Whole objects are better than the 406 of a server that knows no other form.
  return metadataOnly
    ? `application/json;as=${form};g=meta.k8s.io;v=v1,application/json`
    : undefined;
}
