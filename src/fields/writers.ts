import { isRecord, showJson } from "../base/mod.ts";
import type { DeepReadonly, KubeObject } from "../types/mod.ts";
import type { ElementPath } from "./field_path.ts";
import { isWhole, managerEntries, type ManagerEntry, managerName } from "./managed_fields.ts";

/** The maximum number of field managers that are named. */
const MAX_WRITERS = 3;

/**
 * Returns the field managers that have written an object between two of its versions, as in `kubectl, widgets (status)`.
 * Returns undefined if they are unknown, for example because the informer strips the managed fields.
 *
 * @param paths The fields that differ.
 */
export function writersOf(
  before: DeepReadonly<KubeObject> | undefined,
  after: DeepReadonly<KubeObject>,
  paths: readonly ElementPath[],
): string | undefined {
  const entries = managerEntries(after);
  if (entries.length === 0) return undefined;
  const known = new Set(managerEntries(before).map(writeOf));
  let writers: readonly ManagerEntry[] = entries.filter((entry) => !known.has(writeOf(entry)));
  // Times have whole seconds. A second write within one second shows only in the owned fields.
  if (writers.length === 0 && paths.length > 0) {
    writers = entries.every(({ fieldsV1 }) => fieldsV1 === undefined)
      ? lastOf(entries)
      : entries.filter(({ fieldsV1 }) => paths.some((path) => owns(fieldsV1, path)));
  }
  const names = [...new Set(writers.map(managerName))];
  if (names.length === 0) return undefined;
  const shown = names.slice(0, MAX_WRITERS).join(", ");
  return names.length > MAX_WRITERS ? `${shown} and ${names.length - MAX_WRITERS} more` : shown;
}

/** Returns the entries with the newest time. The cache of a manager keeps no field sets of objects that it has not applied. */
function lastOf(entries: readonly ManagerEntry[]): readonly ManagerEntry[] {
  const timeOf = ({ time }: ManagerEntry) => typeof time === "string" ? time : "";
  const newest = entries.map(timeOf).reduce((a, b) => a > b ? a : b);
  return newest === "" ? [] : entries.filter((entry) => timeOf(entry) === newest);
}

/** Returns a text that identifies the last write of a field manager. */
function writeOf({ manager, operation, time, subresource = "" }: ManagerEntry): string {
  return showJson([manager, operation, time, subresource]);
}

/** Reports whether a set of fields contains a path. It does not distinguish the items of a list. */
function owns(fields: unknown, path: ElementPath): boolean {
  let tree = fields;
  for (const element of path) {
    if (!isRecord(tree)) return false;
    if (!element.startsWith("f:")) return true;
    const inner = tree[element];
    if (inner === undefined) return false;
    if (isRecord(inner) && isWhole(inner)) return true;
    tree = inner;
  }
  return true;
}
