import { describeValue, requireCount } from "../../base/mod.ts";
import type { ListOptions } from "../../types/mod.ts";
import type { WriteOptions } from "./call_options.ts";

/**
 * Returns the query parameters of a list or a watch, without undefined options.
 *
 * @throws {RangeError} If `limit` or `timeoutSeconds` is not a whole number of at least 0.
 * @throws {TypeError} If another option is null or an object.
 */
export function listQuery(options: ListOptions): URLSearchParams {
  const { limit, timeoutSeconds } = options;
  if (limit !== undefined) requireCount("limit", limit, 0);
  if (timeoutSeconds !== undefined) requireCount("timeoutSeconds", timeoutSeconds, 0);
  return toQuery({
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    limit: limit || undefined,
    continue: options.continue,
    timeoutSeconds,
    allowWatchBookmarks: options.allowWatchBookmarks,
    sendInitialEvents: options.sendInitialEvents,
  });
}

/** Returns the query parameters of a write. */
export function writeQuery(
  options: WriteOptions & { readonly force?: boolean | undefined },
): URLSearchParams {
  return toQuery({
    dryRun: requireBoolean("dryRun", options.dryRun) ? "All" : undefined,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
    force: requireBoolean("force", options.force),
  });
}

/**
 * Returns `values` as query parameters, without undefined and empty ones.
 *
 * @throws {TypeError} If a value is null or an object.
 */
export function toQuery(
  values: Readonly<Record<string, string | number | boolean | undefined>>,
): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === "") continue;
    if (!["string", "number", "boolean"].includes(typeof value)) {
      throw new TypeError(
        `Invalid ${name}: expected a string, a number or a boolean, received ${
          describeValue(value)
        }`,
      );
    }
    query.set(name, String(value));
  }
  return query;
}

/**
 * Returns a boolean option.
 *
 * @throws {TypeError} If the value is neither a boolean nor undefined. Interpreting such a value could turn a dry run
 * into a write.
 */
export function requireBoolean(name: string, value: boolean | undefined): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  throw new TypeError(`Invalid ${name}: expected true or false, received ${describeValue(value)}`);
}
