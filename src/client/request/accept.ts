import type { ResourceDescriptor } from "../../types/mod.ts";

/** The media type of objects in Kubernetes' protobuf. */
const PROTOBUF = "application/vnd.kubernetes.protobuf";

/** Options of an `Accept` header. */
export interface AcceptOptions {
  /** Whether protobuf is preferred to JSON. Default false. */
  readonly protobuf?: boolean | undefined;
}

/** Returns the `Accept` header for an object or a watch of `resource`, or undefined for the default header. */
export function acceptObject(
  resource: ResourceDescriptor,
  options: AcceptOptions = {},
): string | undefined {
  return accept(resource, "PartialObjectMetadata", options);
}

/** Returns the `Accept` header for a list of `resource`, or undefined for the default header. */
export function acceptList(
  resource: ResourceDescriptor,
  options: AcceptOptions = {},
): string | undefined {
  return accept(resource, "PartialObjectMetadataList", options);
}

function accept(
  { metadataOnly }: ResourceDescriptor,
  form: string,
  { protobuf = false }: AcceptOptions,
): string | undefined {
  const types = protobuf ? [PROTOBUF, "application/json"] : ["application/json"];
  if (!metadataOnly) return protobuf ? types.join(",") : undefined;
  const metadata = types.map((type) => `${type};as=${form};g=meta.k8s.io;v=v1`);
  // Falls back to full objects, because a server without PartialObjectMetadata would otherwise answer 406.
  return [...metadata, "application/json"].join(",");
}

/** Reports whether a response is in protobuf. */
export function isProtobuf({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith(PROTOBUF) ?? false;
}
