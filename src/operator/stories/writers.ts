import { isRecord, showJson } from "../../base/mod.ts";
import type { DeepReadonly, KubeObject, ManagedFieldsEntry } from "../../types/mod.ts";
import type { PathStep } from "./changed_fields.ts";

/** The most field managers of one change. */
const MAX_WRITERS = 3;

type Entry = DeepReadonly<ManagedFieldsEntry>;

/**
 * Returns who has written an object between two of its versions, by their managed fields: `widgets (status)`. Returns
 * undefined if that is unknown, for example because the informer strips the managed fields.
 *
 * @param paths The fields that differ.
 */
export function writersOf(
  before: DeepReadonly<KubeObject> | undefined,
  after: DeepReadonly<KubeObject>,
  paths: readonly (readonly PathStep[])[],
): string | undefined {
  const entries = entriesOf(after);
  if (entries.length === 0) return undefined;
  const known = new Set(entriesOf(before).map(writeOf));
  let writers = entries.filter((entry) => !known.has(writeOf(entry)));
  // The times have whole seconds. A second write within one is seen only by what is owned.
  if (writers.length === 0) {
    writers = entries.filter(({ fieldsV1 }) => paths.some((path) => owns(fieldsV1, path)));
  }
  const names = [...new Set(writers.map(writerName))];
  if (names.length === 0) return undefined;
  const shown = names.slice(0, MAX_WRITERS).join(", ");
  return names.length > MAX_WRITERS ? `${shown} and ${names.length - MAX_WRITERS} more` : shown;
}

function entriesOf(object: DeepReadonly<KubeObject> | undefined): readonly Entry[] {
  const entries: unknown = object?.metadata?.managedFields;
  return Array.isArray(entries) ? entries.filter(isRecord) : [];
}

/** Returns a text that identifies the last write of a field manager. */
function writeOf({ manager, operation, time, subresource = "" }: Entry): string {
  return showJson([manager, operation, time, subresource]);
}

function writerName({ manager, subresource }: Entry): string {
  // A server may send anything.
  const name = typeof manager === "string" ? manager : "unknown";
  return typeof subresource !== "string" || subresource === "" ? name : `${name} (${subresource})`;
}

/** Reports whether a set of fields contains a path. Items of lists are not told apart. */
function owns(fields: unknown, path: readonly PathStep[]): boolean {
  let at = fields;
  for (const step of path) {
    if (!isRecord(at)) return false;
    if (typeof step !== "string") return true;
    const inside = at[`f:${step}`];
    // An empty set below a field is all of it.
    if (inside === undefined) return false;
    if (isRecord(inside) && Object.keys(inside).length === 0) return true;
    at = inside;
  }
  return true;
}
