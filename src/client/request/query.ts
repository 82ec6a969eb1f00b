import type { ListOptions } from "../../types/mod.ts";
import type { PatchOptions, WriteOptions } from "./call_options.ts";

/** A list's or watch's options as query parameters; those that say nothing are left out. */
export function listQuery(options: ListOptions): URLSearchParams {
  return toQuery({
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    limit: options.limit || undefined,
    continue: options.continue,
    timeoutSeconds: options.timeoutSeconds,
    allowWatchBookmarks: options.allowWatchBookmarks,
    sendInitialEvents: options.sendInitialEvents,
  });
}

/** A write's options as query parameters. */
export function writeQuery(options: WriteOptions & Pick<PatchOptions, "force">): URLSearchParams {
  return toQuery({
    dryRun: options.dryRun ? "All" : undefined,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
    force: options.force,
  });
}

/** Query parameters, without those that are undefined or empty. */
export function toQuery(
  values: Readonly<Record<string, string | number | boolean | undefined>>,
): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return query;
}
