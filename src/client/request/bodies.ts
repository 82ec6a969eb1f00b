import { describeValue, isRecord, requireCount, stringifyJson } from "../../base/mod.ts";
import { apiVersionOf, type KubeObject, type ResourceDescriptor } from "../../types/mod.ts";
import type { DeleteCollectionOptions, DeleteOptions } from "./call_options.ts";
import { showValue } from "../config/mod.ts";
import { requireBoolean } from "./query.ts";

/**
 * Returns an object as the body of a request. The server requires `apiVersion` and `kind`, which are filled in from the
 * resource. Subresources other than `status` have their own kind, so `object` must have both fields.
 *
 * @throws {TypeError} If an object for a subresource other than `status` has no `apiVersion` or `kind`, or if the
 * resource contains only metadata or some fields, or if JSON has no such value: a number that is NaN or infinite, or an
 * invalid date.
 */
export function objectBody(
  resource: ResourceDescriptor,
  object: Pick<KubeObject, "apiVersion" | "kind">,
  subresource: string | undefined,
): string {
  const { apiVersion, kind } = object;
  if (resource.metadataOnly && subresource === undefined) {
    throw new TypeError(
      `Cannot write a ${resource.kind} that has only metadata: patch it, or use the full resource`,
    );
  }
  if (resource.fields && (subresource === undefined || subresource === "status")) {
    throw new TypeError(
      `Cannot write a ${resource.kind} that has only some fields: patch it, or use the full resource`,
    );
  }
  if (subresource !== undefined && subresource !== "status" && (!apiVersion || !kind)) {
    throw new TypeError(
      `Missing apiVersion or kind in an object for subresource "${subresource}": the subresource has its own kind`,
    );
  }
  return stringifyJson({
    ...object,
    apiVersion: apiVersion || apiVersionOf(resource),
    kind: kind || resource.kind,
  });
}

/**
 * Returns the options of a deletion as the body of a request, or undefined if no option is set.
 *
 * @throws {TypeError} If the preconditions contain no UID and no resource version, or a value that is not a non-empty
 * string.
 * @throws {RangeError} If `gracePeriodSeconds` is not a whole number of at least 0.
 */
export function deleteBody(options: DeleteOptions): string | undefined {
  const { propagationPolicy, gracePeriodSeconds, preconditions } = options;
  if (gracePeriodSeconds !== undefined) requireCount("gracePeriodSeconds", gracePeriodSeconds, 0);
  if (preconditions !== undefined) requirePreconditions(preconditions);
  const given = {
    propagationPolicy,
    gracePeriodSeconds,
    preconditions,
    dryRun: requireBoolean("dryRun", options.dryRun) ? ["All"] : undefined,
  };
  if (Object.values(given).every((value) => value === undefined)) return undefined;
  return stringifyJson({ kind: "DeleteOptions", apiVersion: "v1", ...given });
}

/**
 * Returns the selectors of a deletion.
 *
 * @throws {TypeError} If a selector is present but undefined or empty. A missing value must not delete all objects.
 */
export function requireSelectors(
  options: DeleteCollectionOptions,
): Pick<DeleteCollectionOptions, "labelSelector" | "fieldSelector"> {
  const selectors: { labelSelector?: string; fieldSelector?: string } = {};
  for (const name of ["labelSelector", "fieldSelector"] as const) {
    if (!(name in options)) continue;
    const selector: unknown = options[name];
    // The server treats a selector of blanks as empty, and a field selector of commas too.
    if (typeof selector !== "string" || /^[\s,]*$/.test(selector)) {
      throw new TypeError(
        `Invalid ${name} of a deletion: expected a selector that is not empty, received ${
          showValue(selector)
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
