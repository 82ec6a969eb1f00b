import type { ResourceDescriptor } from "../../types/mod.ts";

/** Returns the `Accept` header for an object or a watch of `resource`, or undefined for the default header. */
export function acceptObject(resource: ResourceDescriptor): string | undefined {
  return accept(resource, "PartialObjectMetadata");
}

/** Returns the `Accept` header for a list of `resource`, or undefined for the default header. */
export function acceptList(resource: ResourceDescriptor): string | undefined {
  return accept(resource, "PartialObjectMetadataList");
}

function accept({ metadataOnly }: ResourceDescriptor, form: string): string | undefined {
  // Falls back to full objects, because a server without PartialObjectMetadata would otherwise answer 406.
  return metadataOnly
    ? `application/json;as=${form};g=meta.k8s.io;v=v1,application/json`
    : undefined;
}
