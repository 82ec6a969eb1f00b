import { apiVersionOf, type KubeObject, type ResourceDescriptor } from "../../types/mod.ts";
import type { DeleteOptions, PatchOptions } from "./call_options.ts";
import type { Patch } from "./patch.ts";

/**
 * An object as a body. The server wants `apiVersion` and `kind`, which items of lists lack: they are filled in, except for
 * parts that have a kind of their own.
 *
 * @throws {TypeError} When a part other than the status comes without its kind, or the object is no more than metadata.
 */
export function objectBody(
  resource: ResourceDescriptor,
  object: KubeObject,
  subresource: string | undefined,
): string {
  const { apiVersion, kind } = object;
  if (resource.metadataOnly && subresource === undefined) {
    throw new TypeError(
      `Cannot write a ${resource.kind} that is only metadata: patch it, or use the whole resource`,
    );
  }
  if (subresource !== undefined && subresource !== "status" && (!apiVersion || !kind)) {
    throw new TypeError(
      `Missing apiVersion or kind in an object for subresource "${subresource}": it has a kind of its own`,
    );
  }
  return JSON.stringify({
    ...object,
    apiVersion: apiVersion || apiVersionOf(resource),
    kind: kind || resource.kind,
  });
}

/**
 * A patch as a body.
 *
 * @throws {TypeError} When operations are not meant as such, or something else is.
 */
export function patchBody(patch: Patch, type: NonNullable<PatchOptions["type"]>): string {
  if (Array.isArray(patch) !== (type === "json")) {
    throw new TypeError(
      type === "json"
        ? "Patch of type json must be an array of operations"
        : `Patch of type ${type} must be an object: for an array of operations, give type "json"`,
    );
  }
  return JSON.stringify(patch);
}

/** How to delete, as a body; undefined when nothing is said, since then no body is needed. */
export function deleteBody(options: DeleteOptions): string | undefined {
  const { propagationPolicy, gracePeriodSeconds, preconditions, dryRun } = options;
  const said = {
    propagationPolicy,
    gracePeriodSeconds,
    preconditions,
    dryRun: dryRun ? ["All"] : undefined,
  };
  if (Object.values(said).every((value) => value === undefined)) return undefined;
  return JSON.stringify({ kind: "DeleteOptions", apiVersion: "v1", ...said });
}
