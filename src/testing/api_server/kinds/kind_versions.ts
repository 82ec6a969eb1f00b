import type { KubeObject } from "@kubeloop/controller/types";
import type { VersionViews } from "../apply/mod.ts";
import { apiVersionOf, builtinSchema, type KindInfo } from "../schema/mod.ts";
import { getString, type JsonObject } from "../../values/mod.ts";
import { builtinRecord } from "./record_of.ts";
import type { KindRecord } from "./record/mod.ts";

/**
 * Returns the views of a built-in kind in the other versions of its group that have the same stored objects. Other kinds
 * have none: an Event of another group is another kind.
 */
export function versionsOf(kind: KindInfo): VersionViews {
  const own = kind.custom === undefined ? builtinRecord(apiVersionOf(kind), kind.kind) : undefined;
  if (own === undefined) return () => undefined;
  return (apiVersion) => {
    const record = builtinRecord(apiVersion, kind.kind);
    if (record === undefined || record.definition.group !== kind.group) return undefined;
    if (storedVersion(record) !== storedVersion(own)) return undefined;
    const schema = apiVersion === apiVersionOf(kind)
      ? kind.schema
      : builtinSchema(kind.group, record.definition.version, kind.kind)!;
    return { schema, convert: (object) => convert(object, record, kind.kind) };
  };
}

function storedVersion({ definition, stored }: KindRecord): string {
  return apiVersionOf(stored ?? definition);
}

/** Returns an object in the version of a record, by way of the version in which it would be stored. */
function convert(object: JsonObject, to: KindRecord, kind: string): JsonObject {
  const apiVersion = getString(object, "apiVersion");
  if (apiVersion === apiVersionOf(to.definition)) return object;
  const from = builtinRecord(apiVersion, kind)?.stored?.conversion;
  const own = object as unknown as KubeObject;
  const stored = from === undefined ? own : from.toStorage(own);
  return (to.stored?.conversion.fromStorage(stored) ?? stored) as unknown as JsonObject;
}
