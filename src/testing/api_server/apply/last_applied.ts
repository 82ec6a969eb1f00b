import {
  encodeJson,
  getString,
  isObject,
  type JsonObject,
  readJson,
  type StructType,
} from "../../values/mod.ts";
import { apiVersionOf, type KindInfo } from "../schema/mod.ts";
import { FieldSet } from "./field_set.ts";
import { compareTyped } from "./typed_compare.ts";
import { toFieldSet } from "./typed_set.ts";

/** The annotation in which client-side `kubectl apply` stores the configuration that it applied. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Returns the fields that client-side `kubectl apply` owns: the unchanged fields of the last applied configuration.
 *
 * A server-side apply by kubectl takes these fields over without a conflict. The set is empty if the annotation is
 * absent, is not a JSON object, or has another API version than `kind`.
 */
export function lastAppliedSet(kind: KindInfo, live: JsonObject): FieldSet {
  const text = getString(live, "metadata", "annotations", LAST_APPLIED);
  if (text === "") return new FieldSet();
  let applied: unknown;
  try {
    applied = readJson(text);
  } catch {
    return new FieldSet();
  }
  if (!isObject(applied) || getString(applied, "apiVersion") !== apiVersionOf(kind)) {
    return new FieldSet();
  }
  const { removed, modified, added } = compareTyped(applied, live, kind.schema);
  return toFieldSet(applied, kind.schema).difference(modified).difference(added)
    .difference(removed);
}

/** A type with which every object is encoded with sorted keys. */
const UNTYPED: StructType = { kind: "struct", name: "", fields: new Map(), atomic: false };

/**
 * Returns the value of the annotation after a server-side apply by kubectl.
 *
 * The value is the configuration without the annotation itself.
 */
export function lastAppliedText(config: JsonObject): string {
  const metadata = config["metadata"];
  const annotations = isObject(metadata) ? metadata["annotations"] : undefined;
  if (!isObject(metadata) || !isObject(annotations)) return `${encodeJson(config, UNTYPED)}\n`;
  const { [LAST_APPLIED]: _, ...rest } = annotations;
  const bare = { ...config, metadata: { ...metadata, annotations: rest } };
  return `${encodeJson(bare, UNTYPED)}\n`;
}
