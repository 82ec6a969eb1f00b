import type { DeepReadonly, KubeObject } from "../types/mod.ts";

/** The fields of metadata that every write of the object changes. */
export const VERSION_METADATA: readonly string[] = [
  "generation",
  "managedFields",
  "resourceVersion",
];

/** The fields of metadata that the server sets when it stores an object. */
export const STORED_METADATA: readonly string[] = [
  ...VERSION_METADATA,
  "creationTimestamp",
  "selfLink",
  "uid",
];

/** The fields of metadata that only the server sets. */
export const SERVER_METADATA: readonly string[] = [
  ...STORED_METADATA,
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
];

/** Returns an object without these fields of its metadata. */
export function withoutMetadata<T extends DeepReadonly<KubeObject>>(
  object: T,
  fields: readonly string[],
): T {
  const metadata = Object.entries(object.metadata ?? {}).filter(([key]) => !fields.includes(key));
  return { ...object, metadata: Object.fromEntries(metadata) };
}
