import { isRecord, requireCount } from "../../base/mod.ts";
import { apiVersionOf, type KubeObject, type ResourceDescriptor } from "../../types/mod.ts";
import type { DeleteCollectionOptions, DeleteOptions } from "./call_options.ts";
import { describeValue } from "./describe_value.ts";
import { requireBoolean } from "./query.ts";

/**
 * An object as a body. The server wants `apiVersion` and `kind`: they are filled in, except for subresources that have a
 * kind of their own.
 *
 * @throws {TypeError} If a subresource other than `status` lacks its kind, or the resource is metadata only.
 */
export function objectBody(
  resource: ResourceDescriptor,
  object: Pick<KubeObject, "apiVersion" | "kind">,
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
 * The options of a deletion as a body; undefined if there are none, since then no body is needed.
 *
 * @throws {TypeError} If the preconditions require nothing.
 * @throws {RangeError} If `gracePeriodSeconds` is not a whole number of at least 0.
 */
export function deleteBody(options: DeleteOptions): string | undefined {
  const { propagationPolicy, gracePeriodSeconds, preconditions } = options;
  if (gracePeriodSeconds !== undefined) requireCount("gracePeriodSeconds", gracePeriodSeconds, 0);
  if (preconditions !== undefined) requirePreconditions(preconditions);
  const said = {
    propagationPolicy,
    gracePeriodSeconds,
    preconditions,
    dryRun: requireBoolean("dryRun", options.dryRun) ? ["All"] : undefined,
  };
  if (Object.values(said).every((value) => value === undefined)) return undefined;
  return JSON.stringify({ kind: "DeleteOptions", apiVersion: "v1", ...said });
}

/**
 * The selectors of a deletion.
 *
 * @throws {TypeError} If one is given that selects everything: a selector that got lost must not delete all objects.
 */
export function requireSelectors(
  options: DeleteCollectionOptions,
): Pick<DeleteCollectionOptions, "labelSelector" | "fieldSelector"> {
  const selectors: { labelSelector?: string; fieldSelector?: string } = {};
  for (const name of ["labelSelector", "fieldSelector"] as const) {
    if (!(name in options)) continue;
    const selector: unknown = options[name];
    // The server takes blanks, and in fields commas, for no requirement at all.
    if (typeof selector !== "string" || /^[\s,]*$/.test(selector)) {
      throw new TypeError(
        `Invalid ${name} of a deletion: expected a selector that is not empty, received ${
          typeof selector === "string" ? JSON.stringify(selector) : describeValue(selector)
        }; leave it out to delete all objects`,
      );
    }
    selectors[name] = selector;
  }
  return selectors;
}

function requirePreconditions(preconditions: unknown): void {
  const { uid, resourceVersion }: Record<string, unknown> = isRecord(preconditions)
    ? preconditions
    : {};
  const given = [uid, resourceVersion].filter((value) => value !== undefined);
  if (given.length > 0 && given.every((value) => typeof value === "string" && value !== "")) return;
  throw new TypeError(
    "Invalid preconditions: expected uid or resourceVersion that is a non-empty string, received " +
      (isRecord(preconditions)
        ? `uid ${describeValue(uid)} and resourceVersion ${describeValue(resourceVersion)}`
        : describeValue(preconditions)),
  );
}
