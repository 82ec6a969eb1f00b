import {
  prune as pruneStructural,
  type Pruned,
  type PrunedMetadata,
  type Structural,
} from "@kubeloop/controller/internal/structural";
import { encodeJson, type JsonObject } from "../../values/mod.ts";
import { SCHEMAS } from "./builtin.ts";
import { type DecodeFindings, decodeTyped } from "./typed.ts";

/**
 * Removes the fields that the schema does not specify from a custom resource, and the fields that `ObjectMeta` does not have
 * from the metadata of embedded objects.
 */
export function prune(object: JsonObject, schema: Structural): Pruned {
  return pruneStructural(object, schema, pruneMetadata);
}

function pruneMetadata(value: JsonObject): PrunedMetadata {
  const struct = SCHEMAS.struct("meta.ObjectMeta");
  const findings: DecodeFindings = { strict: [], error: undefined };
  const metadata = decodeTyped(value, struct, findings);
  return {
    metadata,
    unknown: Object.keys(value).filter((name) => !struct.fields.has(name)),
    error: findings.error && `Invalid value: ${encodeJson(value)}: ${findings.error}`,
  };
}
