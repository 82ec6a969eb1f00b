import {
  encodeJson,
  getString,
  isObject,
  type JsonObject,
  type StructType,
} from "../values/mod.ts";
import { apiVersionOf, type KindInfo } from "../schema/mod.ts";
import { FieldSet } from "./field_set.ts";
import { compareTyped } from "./typed_compare.ts";
import { toFieldSet } from "./typed_set.ts";

/** Where `kubectl apply` without `--server-side` keeps what it applied. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * What a client-side `kubectl apply` owns of an object: what it applied last and is still so. A server-side apply of
 * kubectl takes that over without a conflict.
 */
export function lastAppliedSet(kind: KindInfo, live: JsonObject): FieldSet {
  const text = getString(live, "metadata", "annotations", LAST_APPLIED);
  if (text === "") return new FieldSet();
  let applied: unknown;
  try {
    applied = JSON.parse(text);
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

/** Writes every object with sorted keys. */
const UNTYPED: StructType = { kind: "struct", name: "", fields: new Map(), atomic: false };

/** What the annotation says after a server-side apply of kubectl. */
export function lastAppliedText(config: JsonObject): string {
  const metadata = config["metadata"];
  if (!isObject(metadata)) return `${encodeJson(config, UNTYPED)}\n`;
  const copy: JsonObject = { ...metadata };
  delete copy["managedFields"];
  const annotations = copy["annotations"];
  if (isObject(annotations)) {
    const { [LAST_APPLIED]: _, ...rest } = annotations;
    copy["annotations"] = rest;
  }
  return `${encodeJson({ ...config, metadata: copy }, UNTYPED)}\n`;
}
